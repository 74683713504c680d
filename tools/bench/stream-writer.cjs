// Appends events to streams as a worker does, for each line of its input (`{ ws_id, stream, entry }`), and prints a line when it has.
require('reflect-metadata');
const { join } = require('node:path');
const { createInterface } = require('node:readline');
const { Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');

const built = (path) => require(join(__dirname, '../../dist', path));
const { ClockModule } = built('libs/platform/access/src/index.js');
const { ConfigModule } = built('libs/platform/config/src/index.js');
const { DatabaseModule, inWorkspace } = built('libs/platform/database/src/index.js');
const { EventStreams, MessagingModule } = built('libs/platform/messaging/src/index.js');

class WriterModule {}
Module({ imports: [ConfigModule, ClockModule, DatabaseModule.forApplication('atrium-bench'), MessagingModule.forApi()] })(WriterModule);

async function main() {
  const app = await NestFactory.createApplicationContext(WriterModule, { logger: false, abortOnError: false });
  const streams = app.get(EventStreams);
  console.log('ready');
  for await (const line of createInterface({ input: process.stdin })) {
    const { ws_id, stream, entry } = JSON.parse(line);
    await inWorkspace(ws_id, () => streams.appendEvent(stream, entry));
    console.log('appended');
  }
  await app.close();
}

void main();
