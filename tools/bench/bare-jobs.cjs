// The API or a worker with a job that does nothing: `node bare-jobs.cjs api|worker`. POST /bare/<workspace>/<thread> asks for it as
// every service does, and its handler sends one event to those who follow the thread.
require('reflect-metadata');
const { join } = require('node:path');
const { Injectable, Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { IsUUID } = require('class-validator');

const dist = join(__dirname, '../../dist');
const built = (path) => require(join(dist, path));
const { defineJob, EventStreams, Handles, planJob, JobsModule, Outbox } = built('libs/platform/messaging/src/index.js');
const { Database, inWorkspace } = built('libs/platform/database/src/index.js');

class BarePayload {}
IsUUID()(BarePayload.prototype, 'thread_id');
const bare = defineJob('bench.bare', { payload: BarePayload });

class BareHandler {
  constructor(streams) {
    this.streams = streams;
  }

  async run({ thread_id }) {
    const data = { op: 'step', thread_id, msg_id: thread_id, run_id: thread_id, attempt: 1, step: 1, usage: null };
    await this.streams.appendEvent(`thread/${thread_id}`, { kind: 'assistant_message', data });
  }
}
Injectable()(BareHandler);
Reflect.defineMetadata('design:paramtypes', [EventStreams], BareHandler);
Handles(bare)(BareHandler.prototype, 'run', Object.getOwnPropertyDescriptor(BareHandler.prototype, 'run'));

async function startApi() {
  const { createApi } = built('libs/platform/http/src/index.js');
  const { ApiModule } = built('apps/api/src/api.module.js');
  class BareApi {}
  Module({ imports: [ApiModule] })(BareApi);
  const app = await createApi(BareApi);
  const [db, outbox] = [app.get(Database, { strict: false }), app.get(Outbox, { strict: false })];
  app.getHttpAdapter().post('/bare/:workspace/:thread', (request, response, next) => {
    const { workspace, thread } = request.params;
    inWorkspace(workspace, () => db.write(async () => outbox.addJob(planJob(bare, { thread_id: thread })))).then(
      () => response.send('{}'),
      next,
    );
  });
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

async function startWorker() {
  require('./metered-runs.cjs');
  const { WorkerModule } = built('apps/worker/src/worker.module.js');
  class BareWorker {}
  Module({ imports: [WorkerModule, JobsModule.define([bare])], providers: [BareHandler] })(BareWorker);
  const app = await NestFactory.createApplicationContext(BareWorker, { logger: false, abortOnError: false });
  await app.init();
  console.log('ready');
}

void (process.argv[2] === 'api' ? startApi() : startWorker());
