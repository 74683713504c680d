import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Edge, type FinishedRequest } from '@atrium/platform/http';
import { newId } from '@atrium/platform/kernel';

/** Keeps every call of an operator, with what became of it; what a call changed in a workspace is also in that workspace's audit trail. */
@Injectable()
export class OperatorCalls implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger(OperatorCalls.name);
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly edge: Edge,
    private readonly db: Database,
  ) {}

  onModuleInit(): void {
    this.edge.recordWith((finished) => {
      if (finished.scope.actor.kind !== 'operator') return;
      const written: Promise<void> = this.keep(finished).finally(() => this.writing.delete(written));
      this.writing.add(written);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.writing);
  }

  private async keep({ request, status, started, scope }: FinishedRequest): Promise<void> {
    const call = {
      op_id: newId(),
      op_at: started,
      op_actor: scope.actor.name ?? 'operator',
      op_method: request.method,
      op_path: request.originalUrl,
      op_status: status,
      op_ip: scope.address?.() ?? null,
      op_request_id: scope.request_id,
    };
    await this.db
      .acrossTenants((tx) => tx.execute('SELECT operator_called($1)', [JSON.stringify(call)]))
      .catch((error: unknown) => this.log.error({ msg: 'a call of an operator could not be kept', ...call, err: error }));
  }
}
