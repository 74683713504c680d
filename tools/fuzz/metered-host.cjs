// Loaded before a host (`node --require`): says what its process has used so far, to those who ask on the port METER_PORT of loopback.
// `read` asks for it; `collect` has the garbage collected first, so that the memory counted is in use; `turns` asks for the longest turn
// of the event loop as well, since it was asked last. Between `sample` and `held` it is seen by what the loop is held.
const { createServer } = require('node:net');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { HeldBy } = require('./held-by.cjs');
const { Turns } = require('./turns.cjs');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
let turns;
let sampling;

function usage() {
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  return { processor_ms: (user + system) / 1_000, memory: heapUsed + external };
}

function held() {
  const by = sampling?.end() ?? [];
  sampling = undefined;
  return { by };
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('data', (asked) => {
    if (asked.includes('collect')) collect();
    const watched = asked.includes('turns') ? (turns ??= new Turns()).take() : {};
    if (asked.includes('sample')) sampling ??= new HeldBy();
    socket.write(`${JSON.stringify({ ...usage(), ...watched, ...(asked.includes('held') ? held() : {}) })}\n`);
  });
});
server.on('error', () => undefined);
server.listen(Number(process.env.METER_PORT), '127.0.0.1');
server.unref();
