// A worker, as it is built, that stands still for good where it is to report an event: `done`, `part`, or `step:2` for the end of
// the second step. Without a word it works as every worker.
require('reflect-metadata');
const { join } = require('node:path');

const DIST = join(__dirname, '../../dist');
const [op, step] = (process.argv[2] ?? '').split(':');
const say = (line) => process.stdout.write(`${line}\n`);

async function main() {
  const { NestFactory } = require('@nestjs/core');
  const { WorkerModule } = require(join(DIST, 'apps/worker/src/worker.module.js'));
  const { EventStreams } = require(join(DIST, 'libs/platform/messaging/src/index.js'));
  const app = await NestFactory.createApplicationContext(WorkerModule, { logger: false, abortOnError: false });
  const streams = app.get(EventStreams, { strict: false });
  const append = streams.append.bind(streams);
  streams.append = (stream, event, fence) => {
    const { data } = event;
    if (!data?.op || data.op !== op || (step !== undefined && data.step !== Number(step))) return append(stream, event, fence);
    say('halted');
    return new Promise(() => undefined);
  };
  await app.init();
  say('ready');
}

void main();
