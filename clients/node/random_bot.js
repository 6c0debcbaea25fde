// A whole bot without a client library: dials the arena, answers every decision with a legal action.
// The .proto files are read as they are; `euchre-arena proto DIR` writes them out elsewhere.
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const { EUCHRE_ARENA_SERVER: server, EUCHRE_ARENA_TOKEN: token } = process.env;
if (!server || !token) fail(2, "EUCHRE_ARENA_SERVER and EUCHRE_ARENA_TOKEN must be set");

const root = process.env.EUCHRE_ARENA_PROTO ?? fileURLToPath(new URL("../../proto", import.meta.url));
const files = loadSync("euchre_arena/v1/arena_service.proto", {
  includeDirs: [root],
  oneofs: true, // `message.message` names the arm that is set
  longs: String,
  enums: String,
});
const { ArenaService } = grpc.loadPackageDefinition(files).euchre_arena.v1;

// A silent connection is probed every 20 s, so that a dead arena is noticed (docs/protocol.md, keepalive).
const arena = new ArenaService(server, grpc.credentials.createInsecure(), {
  "grpc.keepalive_time_ms": 20000,
  "grpc.keepalive_timeout_ms": 10000,
  "grpc.enable_http_proxy": 0,
});
const metadata = new grpc.Metadata({ waitForReady: true });
metadata.set("authorization", `Bearer ${token}`);
const stream = arena.Connect(metadata);
let goodbye;

stream.on("data", (frame) => {
  const answers = frame.messages.flatMap(answer); // one frame in, at most one frame out
  if (answers.length) stream.write({ messages: answers });
  if (goodbye) stream.end();
});
stream.on("error", (error) => goodbye || fail(1, `lost the connection: ${error.message}`));
stream.on("end", () => {
  if (!goodbye) fail(1, "the arena ended the connection without a goodbye");
  arena.close();
  const isClean = ["GOODBYE_REASON_DONE", "GOODBYE_REASON_DRAINING"].includes(goodbye.reason);
  if (!isClean) fail(1, goodbye.text);
});
const hello = { protocolVersion: 1, botVersion: "1", clientLibrary: "grpc-js", maxOpenDecisions: 32 };
stream.write({ messages: [{ hello }] });

// Returns what is to be said to one message.
function answer(message) {
  switch (message.message) {
    case "decision": {
      const { tableId, decisionId, legal, choose } = message.decision;
      const action = choose
        ? { kind: choose.kind, cards: draw(choose.pool, choose.count) }
        : draw(legal, 1)[0];
      return [{ answer: { tableId, decisionId, action } }];
    }
    case "ping":
      return [{ pong: { nonce: message.ping.nonce } }];
    case "goodbye":
      goodbye = message.goodbye;
      return [];
    default: // told, but of no use to a bot that does not think; kinds yet unknown are skipped too
      return [];
  }
}

function draw(items, count) {
  const rest = [...items];
  return Array.from({ length: count }, () => rest.splice(Math.floor(Math.random() * rest.length), 1)[0]);
}

function fail(status, text) {
  console.error(`random_bot: ${text}`);
  process.exit(status);
}
