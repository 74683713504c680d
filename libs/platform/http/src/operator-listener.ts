import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { nothingHere, OPERATOR_PREFIX, type OperatorGate } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { currentScope } from '@atrium/platform/database';
import { SECOND } from '@atrium/platform/kernel';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, RequestHandler } from 'express';
import { answerMalformed } from './malformed-requests';

const GRACE_MS = 20 * SECOND;

/** The listener of its own that OPERATOR_PORT gives to operators: it serves them and nothing else, and PORT no longer does. */
@Injectable()
export class OperatorListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly arrived = new WeakSet<IncomingMessage>();
  private server: Server | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  get isApart(): boolean {
    return this.settings.OPERATOR_PORT !== 0;
  }

  /** Whether the request came in here. */
  received(request: IncomingMessage): boolean {
    return this.arrived.has(request);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.isApart) return;
    const answer = this.host.httpAdapter.getInstance<RequestListener>();
    const server = createServer((request, response) => {
      this.arrived.add(request);
      answer(request, response);
    });
    answerMalformed(server);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(this.settings.OPERATOR_PORT, this.settings.HOST, resolve));
    this.server = server;
  }

  /** Takes no new connection and waits for what is in flight, so long. */
  async beforeApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await Promise.race([closed, pause(GRACE_MS, undefined, { ref: false })]);
    server.closeAllConnections();
  }
}

/** Stands before everything under the prefix of operators, known path or not: on the right listener, and with a token. */
export function operatorDoor(gate: OperatorGate, listener: OperatorListener): RequestHandler {
  return (request: Request, _response, next) => {
    const asked = request.path === `/${OPERATOR_PREFIX}` || request.path.startsWith(`/${OPERATOR_PREFIX}/`);
    if (listener.isApart && asked !== listener.received(request)) return next(nothingHere());
    const scope = currentScope();
    if (asked && scope) {
      try {
        scope.actor = gate.admit(request.headers.authorization, request.ip ?? '');
      } catch (error) {
        return next(error);
      }
    }
    next();
  };
}
