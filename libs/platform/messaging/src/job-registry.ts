import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import { SubscriberDefinition, type JobDefinition } from './job-definition';
import { endingsOf, marksOf, type GivenUpJob, type JobResult, type JobRun } from './job-handling';

type Handler = (payload: object, run: JobRun) => Promise<JobResult>;
type Ending = (payload: object, job: GivenUpJob) => Promise<unknown>;

/** A definition and the one method that does its work. */
export interface HandledJob {
  readonly definition: JobDefinition<object>;
  readonly handle: Handler;
  /** Ends what is shown of a job that the queue has given up. */
  readonly giveUp?: Ending | undefined;
}

/** The definitions one context brings. */
class JobSet {
  constructor(readonly definitions: readonly JobDefinition<object>[]) {}
}

/** How a context's worker module declares its jobs: `imports: [JobsModule.define([ingest, renditions])]`. */
@Module({})
export class JobsModule {
  static define(definitions: readonly JobDefinition<object>[]): DynamicModule {
    return { module: JobsModule, providers: [{ provide: `jobs:${newId()}`, useValue: new JobSet(definitions) }] };
  }
}

/**
 * All jobs of the composed contexts. Each has exactly one handler, else the worker does not start: a job without one
 * would wait forever, one with two would be done by chance.
 */
@Injectable()
export class JobRegistry {
  private readonly byName = new Map<string, HandledJob>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** Reads definitions and handlers from the providers; throws one sentence per fault. */
  collectHandlers(): void {
    const instances = this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance && typeof instance === 'object' ? [instance as object] : []));
    const distinct = [...new Set(instances)];
    const defined = definitionsIn(distinct);
    const handlers = handlersIn(distinct);
    const endings = endingsIn(distinct);
    const faults = [...defined.faults];
    for (const [definition, found] of handlers) {
      if (defined.byName.get(definition.name) !== definition)
        faults.push(`${definition.name} has a handler (${found.map((one) => one.where).join(', ')}) but is in no JobsModule.define([…]).`);
    }
    for (const definition of defined.byName.values()) {
      const found = handlers.get(definition) ?? [];
      const [only] = found;
      if (only && found.length === 1)
        this.byName.set(definition.name, { definition, handle: only.handle, giveUp: endings.get(definition) });
      else if (found.length === 0) faults.push(`${definition.name} has no handler.`);
      else faults.push(`${definition.name} has ${found.length} handlers: ${found.map((one) => one.where).join(', ')}.`);
    }
    if (faults.length > 0) throw new Error(`The jobs of this worker are not in order:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }

  get jobs(): readonly HandledJob[] {
    return [...this.byName.values()];
  }

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  /** Those that a person waits for. */
  get awaited(): readonly string[] {
    return this.jobs.filter(({ definition }) => definition.awaited).map(({ definition }) => definition.name);
  }

  findJob(name: string): HandledJob | undefined {
    return this.byName.get(name);
  }

  /** The subscribers an event goes to. */
  listSubscribers(event: string, payload: JsonObject): readonly SubscriberDefinition[] {
    return this.jobs.flatMap(({ definition }) =>
      definition instanceof SubscriberDefinition && definition.wants(event, payload) ? [definition] : [],
    );
  }
}

interface Found {
  readonly where: string;
  readonly handle: Handler;
}

function definitionsIn(instances: readonly object[]): { readonly byName: Map<string, JobDefinition<object>>; readonly faults: string[] } {
  const byName = new Map<string, JobDefinition<object>>();
  const faults: string[] = [];
  for (const definition of instances.flatMap((instance) => (instance instanceof JobSet ? instance.definitions : []))) {
    if ((byName.get(definition.name) ?? definition) !== definition) faults.push(`${definition.name} is defined twice.`);
    byName.set(definition.name, definition);
  }
  return { byName, faults };
}

function handlersIn(instances: readonly object[]): Map<JobDefinition<object>, Found[]> {
  const handlers = new Map<JobDefinition<object>, Found[]>();
  for (const instance of instances) {
    for (const { definition, method } of marksOf(instance)) {
      const handle = (Reflect.get(instance, method) as Handler).bind(instance);
      handlers.set(definition, [...(handlers.get(definition) ?? []), { where: `${instance.constructor.name}.${String(method)}`, handle }]);
    }
  }
  return handlers;
}

function endingsIn(instances: readonly object[]): Map<JobDefinition<object>, Ending> {
  const endings = new Map<JobDefinition<object>, Ending>();
  for (const instance of instances)
    for (const { definition, method } of endingsOf(instance))
      endings.set(definition, (Reflect.get(instance, method) as Ending).bind(instance));
  return endings;
}
