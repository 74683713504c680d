import { Injectable } from '@nestjs/common';
import {
  defineJob,
  defineSubscriber,
  Handles,
  JobsModule,
  NoPayload,
  WhenGivenUp,
  type EventDelivery,
  type GivenUpJob,
  type JobResult,
  type JobRun,
} from '@atrium/platform/messaging';
import { IsString, Length } from 'class-validator';

/** The payload of the jobs the contract is tried with. */
export class Item {
  @IsString() @Length(1, 80) item!: string;
}

export const pack = defineJob('shop.pack', { payload: Item, attempts: 3, backoffMs: 40 });
export const single = defineJob('shop.single', { payload: Item, concurrency: 1, backoffMs: 40 });
export const count = defineJob('shop.count', { payload: Item, key: ({ item }) => item, attempts: 2, backoffMs: 40 });
export const slow = defineJob('shop.slow', { payload: Item, timeoutMs: 150, attempts: 2, backoffMs: 40 });
export const serve = defineJob('shop.serve', { payload: Item, awaited: true });
export const tidy = defineJob('shop.tidy', { payload: NoPayload });
const audit = defineSubscriber('shop.audit', { events: ['item.*'] });
const bill = defineSubscriber('shop.bill', { events: ['item.sold'] });

type Work = (payload: Item, run: JobRun) => Promise<JobResult>;

/** Does what the test says, item by item, and remembers every run. */
@Injectable()
export class Shop {
  readonly runs: { readonly job: string; readonly item: string; readonly attempt: number }[] = [];
  /** What the queue has given up, and why. */
  readonly givenUp = new Map<string, string>();
  private readonly work = new Map<string, Work>();

  when(item: string, work: Work): void {
    this.work.set(item, work);
  }

  runsOf(item: string): readonly { readonly job: string; readonly attempt: number }[] {
    return this.runs.filter((run) => run.item === item);
  }

  @Handles(pack)
  pack(payload: Item, run: JobRun): Promise<JobResult> {
    return this.run('pack', payload, run);
  }

  @WhenGivenUp(pack)
  end({ item }: Item, { reason }: GivenUpJob): Promise<void> {
    this.givenUp.set(item, reason);
    return Promise.resolve();
  }

  @Handles(single)
  single(payload: Item, run: JobRun): Promise<JobResult> {
    return this.run('single', payload, run);
  }

  @Handles(count)
  count(payload: Item, run: JobRun): Promise<JobResult> {
    return this.run('count', payload, run);
  }

  @Handles(slow)
  slow(payload: Item, run: JobRun): Promise<JobResult> {
    return this.run('slow', payload, run);
  }

  @Handles(serve)
  serve(payload: Item, run: JobRun): Promise<JobResult> {
    return this.run('serve', payload, run);
  }

  @Handles(tidy)
  tidy(_payload: NoPayload, run: JobRun): Promise<JobResult> {
    return this.run('tidy', { item: run.job_id }, run);
  }

  @Handles(audit)
  audit(event: EventDelivery, run: JobRun): Promise<JobResult> {
    return this.run(`audit ${event.name}`, { item: event.event_id }, run);
  }

  @Handles(bill)
  bill(event: EventDelivery, run: JobRun): Promise<JobResult> {
    return this.run(`bill ${event.name}`, { item: event.event_id }, run);
  }

  private async run(job: string, payload: Item, run: JobRun): Promise<JobResult> {
    this.runs.push({ job, item: payload.item, attempt: run.attempt });
    return this.work.get(payload.item)?.(payload, run);
  }
}

export const ShopJobs = JobsModule.define([pack, single, count, slow, serve, tidy, audit, bill]);
