import type { IncomingMessage, RequestListener } from 'node:http';
import { nothingHere, OPERATOR_PREFIX, type OperatorGate } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { currentScope } from '@atrium/platform/database';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, RequestHandler } from 'express';
import { Connections } from './connections';
import { GRACE_MS } from './drain';
import { limitWaiting, openServer } from './http-server';
import { Edge } from './request-edge';
import { answerMalformed } from './malformed-requests';

/** The listener of its own that OPERATOR_PORT gives to operators: it serves them and nothing else, and PORT no longer does. */
@Injectable()
export class OperatorListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly arrived = new WeakSet<IncomingMessage>();
  private connections: Connections | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
    private readonly edge: Edge,
  ) {}

  get isApart(): boolean {
    return this.settings.OPERATOR_PORT !== 0;
  }

  /** Whether the request came in here. */
  isOperatorRequest(request: IncomingMessage): boolean {
    return this.arrived.has(request);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.isApart) return;
    const answer = this.host.httpAdapter.getInstance<RequestListener>();
    const server = openServer((request, response) => {
      this.arrived.add(request);
      answer(request, response);
    });
    answerMalformed(server);
    limitWaiting(server, this.settings);
    const connections = new Connections(server, this.edge.inFlight);
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(this.settings.OPERATOR_PORT, this.settings.HOST, resolve),
    );
    this.connections = connections;
  }

  /** Takes no new connection and waits for what is in flight, so long. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.connections?.refuseNew();
    await this.connections?.endAll({ quietMs: 0, graceMs: GRACE_MS });
  }
}

/** Guards everything under the prefix of operators, known path or not: on the right listener, and with a token. */
export function operatorDoor(gate: OperatorGate, listener: OperatorListener): RequestHandler {
  return (request: Request, _response, next) => {
    const asked = request.path === `/${OPERATOR_PREFIX}` || request.path.startsWith(`/${OPERATOR_PREFIX}/`);
    if (listener.isApart && asked !== listener.isOperatorRequest(request)) return next(nothingHere());
    const scope = currentScope();
    if (asked && scope) {
      try {
        scope.actor = gate.admitOperator(request.headers.authorization, request.ip ?? '');
      } catch (error) {
        return next(error);
      }
    }
    next();
  };
}
