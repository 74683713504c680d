// Loaded before a host (`node --require`): says what its process has used so far, to those who ask on the port METER_PORT of loopback.
// `read` asks for it; `collect` has the garbage collected first, so that the memory counted is in use.
const { createServer } = require('node:net');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

function usage() {
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  return { processor_ms: (user + system) / 1_000, memory: heapUsed + external };
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('data', (asked) => {
    if (asked.includes('collect')) collect();
    socket.write(`${JSON.stringify(usage())}\n`);
  });
});
server.on('error', () => undefined);
server.listen(Number(process.env.METER_PORT), '127.0.0.1');
server.unref();
