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
  const appendAll = streams.appendAll.bind(streams);
  streams.appendAll = (stream, events, fence) => {
    const isAwaited = ({ data }) => data?.op !== undefined && data.op === op && (step === undefined || data.step === Number(step));
    if (!events.some(isAwaited)) return appendAll(stream, events, fence);
    say('halted');
    return new Promise(() => undefined);
  };
  await app.init();
  say('ready');
}

void main();
