import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from 'node:http';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Settings } from '@atrium/platform/config';
import { SECOND } from '@atrium/platform/kernel';
import { Edge } from './request-edge';

/** How long requests in flight may take to end; under the half minute that orchestrators commonly grant. */
const GRACE_MS = 20 * SECOND;
const LOOK_MS = 50;

/**
 * Ends the host without cutting a request. Told to stop, it answers "not ready" and lets every answer close its
 * connection, for a moment in which load balancers and callers on kept connections learn of it; then it takes no new
 * connection, and waits for what is in flight, so long. The pool and the other rooms go after that.
 */
@Injectable()
export class Drain implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  private idle: NodeJS.Timeout | undefined;
  private overdue: NodeJS.Timeout | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly edge: Edge,
    private readonly settings: Settings,
  ) {}

  /** The first thing that happens; whatever others do before they end comes after. */
  onModuleDestroy(): void {
    this.edge.drain();
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    if (signal !== undefined) await pause(this.settings.SHUTDOWN_DELAY_MS);
    // A connection whose answer had begun before it could say that it closes is closed when it has nothing to do.
    this.idle = setInterval(() => server.closeIdleConnections(), LOOK_MS).unref();
    this.overdue = setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.idle);
    clearTimeout(this.overdue);
  }
}
