"""What holds for all tests: no example fails for being slow, since the machine may be busy."""

from hypothesis import HealthCheck, settings

settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")
