import 'reflect-metadata';
import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { INSPECTION_SCRIPT } from '@atrium/files';
import { WorkerModule } from '../../apps/worker/src/worker.module';

const BUILT = join(__dirname, '../../dist/libs/files/src/infrastructure/inspection/inspection-process.js');

/** The processes that look into files run from the build. */
@Global()
@Module({ providers: [{ provide: INSPECTION_SCRIPT, useValue: BUILT }], exports: [INSPECTION_SCRIPT] })
class BuiltInspection {}

@Module({ imports: [BuiltInspection, WorkerModule] })
class TestWorker {}

/** The worker in a process of its own; it says why it does not start. */
NestFactory.createApplicationContext(TestWorker, { logger: false, abortOnError: false }).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
