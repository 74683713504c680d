import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from 'node:http';
import { Injectable, type BeforeApplicationShutdown, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Settings } from '@atrium/platform/config';
import { SECOND } from '@atrium/platform/kernel';
import { Connections } from './connections';
import { Edge } from './request-edge';

/** How long requests in flight may take to end; under the half minute that orchestrators commonly grant. */
export const GRACE_MS = 20 * SECOND;
/** A proxy that has not used a connection for so long has found a newer one. */
const QUIET_MS = SECOND;
/** Where the host is closed by the program around it, callers are near: a request is on its way hardly so long. */
const NEARBY_QUIET_MS = 100;

/**
 * Ends the host without interrupting a request. When stopped, it answers "not ready" until load balancers have noticed; then it takes no new connection, and answers what still comes on the open ones until they are quiet, each answer
 * closing its own. In this order: a caller whose connection was closed opens another one, and one that has been made but
 * not yet accepted when the host stops listening is reset. The pool and the other rooms go after that.
 */
@Injectable()
export class Drain implements OnModuleInit, OnModuleDestroy, BeforeApplicationShutdown {
  private connections: Connections | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly edge: Edge,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.connections = new Connections(this.host.httpAdapter.getHttpServer() as Server, this.edge.inFlight);
  }

  /** Runs first; what other providers do before they end comes later. */
  onModuleDestroy(): void {
    this.edge.beginDraining();
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    if (signal !== undefined) await pause(this.settings.SHUTDOWN_DELAY_MS);
    await this.connections?.refuseNew();
    this.edge.closeAfterAnswers();
    await this.connections?.endAll({ quietMs: signal === undefined ? NEARBY_QUIET_MS : QUIET_MS, graceMs: GRACE_MS });
  }
}
