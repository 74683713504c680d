import type { Permission } from '@atrium/platform/access';
import { SECOND, type JsonObject } from '@atrium/platform/kernel';
import { IsISO8601, IsObject, IsOptional, IsString, IsUUID } from 'class-validator';

const NAME = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/;

/** What a job needs besides its name; `payload` is a class whose fields carry validation rules. */
export interface JobOptions<P extends object> {
  readonly payload: new () => P;
  /** Raised when the payload changes so that running workers do not understand it. */
  readonly version?: number;
  /** Maximum number of runs, including the first. */
  readonly attempts?: number;
  /** Pause before the second run; doubles with every further one, with jitter. */
  readonly backoffMs?: number;
  /** A run that takes longer is aborted and counts as failed. */
  readonly timeoutMs?: number;
  /** Jobs of this kind that one worker runs at once for one workspace; else the worker's setting. It has as many slots again for other workspaces. */
  readonly concurrency?: number;
  /** Runs also while the workspace is suspended or waits to be deleted; all other jobs wait then. */
  readonly always?: boolean;
  /** Jobs that a run adds are bulk work: they run after the single jobs of others in the workspace. */
  readonly bulk?: boolean;
  /** Of a background job: permissions with which it is requested. A key without any of them does not see it. */
  readonly seenWith?: readonly Permission[];
  /** A person waits for what it does: while it is in the database, jobs of other kinds begin one thing at a time there. */
  readonly awaited?: boolean;
  /** The subject of the work: jobs of one key never wait twice and never run at the same time. */
  key?(payload: P): string;
}

/** The kinds of background jobs of this process, with what lets a key see them. */
const SEEN_KINDS = new Map<string, readonly Permission[]>();

/** The kinds of background jobs that a key with such permissions sees. */
export const kindsSeenWith = (permissions: { has(permission: Permission): boolean }): string[] =>
  [...SEEN_KINDS].filter(([, any]) => any.some((permission) => permissions.has(permission))).map(([name]) => name);

/** Kinds that name permissions of which none is there. */
export const kindsClosedTo = (permissions: { has(permission: Permission): boolean }): string[] =>
  [...SEEN_KINDS].filter(([, any]) => !any.some((permission) => permissions.has(permission))).map(([name]) => name);

/** One kind of background work: the contract between who asks for it and the one method that does it. Its name is its queue's. */
export class JobDefinition<P extends object> {
  readonly payload: new () => P;
  readonly version: number;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly timeoutMs: number | undefined;
  readonly concurrency: number | undefined;
  readonly always: boolean;
  readonly bulk: boolean;
  readonly awaited: boolean;
  readonly seenWith: readonly Permission[];

  constructor(
    readonly name: string,
    private readonly options: JobOptions<P>,
  ) {
    if (!NAME.test(name)) throw new Error(`A job is named <context>.<concern>, not ${name}.`);
    this.payload = options.payload;
    this.version = options.version ?? 1;
    this.attempts = options.attempts ?? 5;
    this.backoffMs = options.backoffMs ?? 2 * SECOND;
    this.timeoutMs = options.timeoutMs;
    this.concurrency = options.concurrency;
    this.always = options.always ?? false;
    this.bulk = options.bulk ?? false;
    this.awaited = options.awaited ?? false;
    this.seenWith = options.seenWith ?? [];
    if (this.seenWith.length > 0) SEEN_KINDS.set(name, this.seenWith);
  }

  /** The key of a payload, or undefined when jobs are independent of each other. */
  keyOf(payload: P): string | undefined {
    return this.options.key?.(payload);
  }
}

/** What a subscriber needs besides its name. */
export interface SubscriberOptions extends Omit<JobOptions<EventDelivery>, 'payload' | 'key'> {
  readonly events: readonly string[];
  /** Which of these events it wants, by their content; without it all of them. */
  wants?(event: string, payload: JsonObject): boolean;
}

/** Work on every event of the named kinds that it wants; a subscriber is a job whose payload is the event. */
export class SubscriberDefinition extends JobDefinition<EventDelivery> {
  constructor(
    name: string,
    private readonly subscription: SubscriberOptions,
  ) {
    super(name, { ...subscription, payload: EventDelivery });
  }

  /** `album.deleted` is one event, `album.*` all of a subject, `*` every one. */
  wants(event: string, payload: JsonObject): boolean {
    const { events } = this.subscription;
    if (
      !events.some((pattern) => pattern === '*' || pattern === event || (pattern.endsWith('.*') && event.startsWith(pattern.slice(0, -1))))
    )
      return false;
    return this.subscription.wants?.(event, payload) ?? true;
  }
}

/** An event as a subscriber receives it. */
export class EventDelivery {
  @IsUUID() event_id!: string;
  @IsString() name!: string;
  @IsOptional() @IsUUID() subject_id!: string | null;
  @IsObject() payload!: JsonObject;
  @IsISO8601() at!: string;
}

/** A job that is asked for: written with `outbox.add`, never sent directly. */
export interface PlannedJob {
  readonly definition: JobDefinition<object>;
  readonly payload: object;
  readonly key: string | undefined;
  readonly delayMs: number;
}

export const defineJob = <P extends object>(name: string, options: JobOptions<P>): JobDefinition<P> => new JobDefinition(name, options);

export const defineSubscriber = (name: string, options: SubscriberOptions): SubscriberDefinition => new SubscriberDefinition(name, options);

/** Plans one job; `delayMs` is when it becomes due, to the second. */
export const planJob = <P extends object>(
  definition: JobDefinition<P>,
  payload: P,
  { delayMs = 0 }: { readonly delayMs?: number } = {},
): PlannedJob => ({
  definition,
  payload,
  key: definition.keyOf(payload),
  delayMs,
});
