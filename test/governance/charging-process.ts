import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ChargingWorker, FilmStudio } from './charging-jobs';

/** A worker that charges, says so, and never comes to the end of its job; it waits to be killed. */
async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(ChargingWorker, { logger: false, abortOnError: false });
  app.get(FilmStudio, { strict: false }).afterwards = ({ job_id }) => {
    process.stdout.write(`charged ${job_id}\n`);
    return new Promise(() => undefined);
  };
  await app.init();
  process.stdout.write('ready\n');
}

void main();
