// Loaded before a host (`node --require`): says what its process has used so far, to those who ask on the port METER_PORT of loopback.
// `read` asks for it; `collect` has the garbage collected first, so that the memory counted is in use; `turns` asks for the longest turn
// of the event loop as well, since it was asked last. Between `sample` and `held` it is seen by what the loop was held in that turn.
const { createServer } = require('node:net');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { HeldBy } = require('./held-by.cjs');
const { Turns } = require('./turns.cjs');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
let turns;
let longestAt;
let sampling;

function usage() {
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  return { processor_ms: (user + system) / 1_000, memory: heapUsed + external };
}

function watched() {
  const taken = (turns ??= new Turns()).take();
  longestAt = taken.at;
  return taken;
}

function held() {
  const by = sampling?.end(longestAt) ?? [];
  sampling = undefined;
  return { by };
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('data', (asked) => {
    if (asked.includes('collect')) collect();
    const turn = asked.includes('turns') ? watched() : {};
    if (asked.includes('sample')) sampling ??= new HeldBy();
    socket.write(`${JSON.stringify({ ...usage(), ...turn, ...(asked.includes('held') ? held() : {}) })}\n`);
  });
});
server.on('error', () => undefined);
server.listen(Number(process.env.METER_PORT), '127.0.0.1');
server.unref();
