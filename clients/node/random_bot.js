// A whole bot without a client library: dials the arena, answers every decision with a legal action,
// and comes back after a loss. docs/protocol.md says why it does what it does.
// The .proto files are read as they are; `euchre-arena proto DIR` writes them out elsewhere.
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const { EUCHRE_ARENA_SERVER: server, EUCHRE_ARENA_TOKEN: token } = process.env;
if (!server || !token) fail(2, "EUCHRE_ARENA_SERVER and EUCHRE_ARENA_TOKEN must be set");

const FIRST_MS = 250; // the longest wait before the first attempt to come back; each next one doubles
const MOST_MS = 4_000;
const WITHIN_MS = 1000 * (process.env.EUCHRE_ARENA_RECONNECT_WITHIN_S ?? 30); // of trying, in all
const WELCOME_MS = 10_000;

const root = process.env.EUCHRE_ARENA_PROTO ?? fileURLToPath(new URL("../../proto", import.meta.url));
const files = loadSync("euchre_arena/v1/arena_service.proto", {
  includeDirs: [root],
  oneofs: true, // `message.message` names the arm that is set
  arrays: true, // what is empty is [], not left out
  longs: String,
  enums: String,
});
const { ArenaService } = grpc.loadPackageDefinition(files).euchre_arena.v1;
const metadata = new grpc.Metadata();
metadata.set("authorization", `Bearer ${token}`);

// What outlives a connection. With FULL views that is all: the arena tells of tables and questions again.
let resumeToken = ""; // of the last Welcome; says at the next Hello who comes back
const lastAsked = new Map(); // by table, the number of its last decision
let attempt = 0; // these two since play last went on
let spentMs = 0;

dial();

function dial() {
  // A channel of its own: one that has failed would wait before it tries again.
  // A silent connection is probed every 20 s, so that a dead arena is noticed.
  const arena = new ArenaService(server, grpc.credentials.createInsecure(), {
    "grpc.keepalive_time_ms": 20000,
    "grpc.keepalive_timeout_ms": 10000,
    "grpc.enable_http_proxy": 0,
    "grpc.use_local_subchannel_pool": 1,
  });
  const stream = arena.Connect(metadata);
  const now = { began: Date.now(), isWelcome: false, goodbye: undefined, status: undefined };
  const late = setTimeout(() => now.isWelcome || stream.cancel(), WELCOME_MS);

  stream.on("data", (frame) => {
    const answers = frame.messages.flatMap((message) => answer(message, now)); // one frame in, one out
    if (answers.length) stream.write({ messages: answers });
    if (now.goodbye) stream.end();
  });
  stream.on("error", () => {}); // the status says it, too
  stream.on("status", (status) => (now.status = status));
  stream.on("end", () => {
    clearTimeout(late);
    arena.close();
    ended(now);
  });
  const bot = { botVersion: "1", clientLibrary: "grpc-js", maxOpenDecisions: 32 };
  stream.write({ messages: [{ hello: { protocolVersion: 1, ...bot, resumeToken } }] });
}

// Returns what is to be said to one message.
function answer(message, now) {
  switch (message.message) {
    case "welcome":
      now.isWelcome = true;
      resumeToken = message.welcome.resumeToken;
      return [];
    case "decision": {
      const { tableId, decisionId, legal, choose } = message.decision;
      if (decisionId !== lastAsked.get(tableId)) attempt = spentMs = 0; // play goes on
      lastAsked.set(tableId, decisionId);
      const action = choose
        ? { kind: choose.kind, cards: draw(choose.pool, choose.count) }
        : draw(legal, 1)[0];
      return [{ answer: { tableId, decisionId, action } }];
    }
    case "tableClosed":
      lastAsked.delete(message.tableClosed.tableId);
      return [];
    case "ping":
      return [{ pong: { nonce: message.ping.nonce } }];
    case "goodbye":
      now.goodbye = message.goodbye;
      return [];
    default: // told, but of no use to a bot that does not think; kinds yet unknown are skipped too
      return [];
  }
}

// A goodbye is final, but for that of an arena which says when it is back. Anything else is a loss.
function ended({ began, isWelcome, goodbye, status }) {
  const isDraining = goodbye?.reason === "GOODBYE_REASON_DRAINING";
  if (goodbye && !(isDraining && goodbye.redialAfterMs !== undefined)) {
    if (!isDraining && goodbye.reason !== "GOODBYE_REASON_DONE") fail(1, goodbye.text);
    return; // nothing is left to do, so the process ends
  }
  const why = goodbye?.text || status?.details || "the connection ended without a goodbye";
  if ([grpc.status.UNAUTHENTICATED, grpc.status.PERMISSION_DENIED].includes(status?.code)) fail(1, why);

  const heldMs = Date.now() - began;
  if (!isWelcome) spentMs += heldMs;
  else if (heldMs > WITHIN_MS) attempt = spentMs = 0;
  if (spentMs >= WITHIN_MS) fail(1, `not back within ${WITHIN_MS / 1000} s: ${why}`);
  if (isWelcome) console.error(`random_bot: ${why}; dialling again`);
  // Drawn at random, so that bots that were cut off together do not come back together.
  const pauseMs = (Math.min(MOST_MS, FIRST_MS * 2 ** attempt++) * (1 + Math.random())) / 2;
  spentMs += pauseMs;
  setTimeout(dial, pauseMs + Number(goodbye?.redialAfterMs ?? 0));
}

function draw(items, count) {
  const rest = [...items];
  return Array.from({ length: count }, () => rest.splice(Math.floor(Math.random() * rest.length), 1)[0]);
}

function fail(status, text) {
  console.error(`random_bot: ${text}`);
  process.exit(status);
}
