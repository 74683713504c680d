import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ToolSources } from '@atrium/ai';
import { TestWorker } from '../support/api';
import { countedTools } from './counted-tools';

/** A worker with tools that say so when they are called and never answer; it waits to be killed. */
async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(TestWorker, { logger: false, abortOnError: false });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  app.get(ToolSources, { strict: false }).register(
    countedTools(({ tool, key }) => {
      say(`called ${tool} ${key}`);
      return new Promise(() => undefined);
    }),
  );
  await app.init();
  say('ready');
}

void main();
