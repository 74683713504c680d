import { Injectable, type Type } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import type { Queue, QueueOptions } from 'bullmq';

/** The class of the backend in use, and the queues to register with it. */
export interface QueuesToRegister<Q> {
  readonly queueClass: Type<Q>;
  readonly queues: readonly (QueueOptions & { readonly name: string })[];
}

/**
 * Registers the queues of a worker with `BullModule`: they are providers of the application and are closed with it. It is loaded
 * once the jobs are known, so that neither the API nor a command pays for it.
 */
@Injectable()
export class QueueRegistration {
  constructor(private readonly loader: LazyModuleLoader) {}

  async register<Q extends Pick<Queue, 'name'>>({ queueClass, queues }: QueuesToRegister<Q>): Promise<readonly Q[]> {
    const { BullModule, getQueueToken } = await import('@nestjs/bullmq');
    const registered = await this.loader.load(() => {
      // Read when queues are registered, not when they are created: another application of this process may use another backend.
      BullModule.queueClass = queueClass;
      return BullModule.registerQueue(...queues);
    });
    return queues.map(({ name }) => registered.get<Q>(getQueueToken(name)));
  }
}
