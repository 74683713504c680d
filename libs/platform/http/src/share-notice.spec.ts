import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Settings } from '@atrium/platform/config';
import { BodyBudget } from './body-budget';
import { shareConnections } from './http-server';

describe('a share of one address', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  beforeEach(() => warn.mockClear());
  afterAll(() => warn.mockRestore());

  it('of the connections that is reached is in the log with what to set, at most once a minute', () => {
    jest.useFakeTimers();
    const server = new EventEmitter();
    shareConnections(server as Server, { MAX_CONNECTIONS: 4 } as Settings, (address) => address === '10.0.0.9');
    const connect = (remoteAddress: string): boolean => {
      const destroy = jest.fn();
      server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy }));
      return destroy.mock.calls.length === 0;
    };
    expect([1, 2, 3, 4].map(() => connect('10.0.0.9'))).toEqual([true, true, true, true]);
    expect([1, 2].map(() => connect('10.0.0.1'))).toEqual([true, true]);
    expect(warn).not.toHaveBeenCalled();
    expect([1, 2].map(() => connect('10.0.0.1'))).toEqual([false, false]);
    expect(warn.mock.calls).toEqual([[expect.objectContaining({ msg: expect.stringContaining('TRUSTED_PROXIES') as string })]]);
    jest.advanceTimersByTime(60_000);
    connect('10.0.0.1');
    expect(warn).toHaveBeenCalledTimes(2);
    jest.useRealTimers();
  });

  it('of the bytes of bodies is reached where the process has room, and not by one body that is too large for any', () => {
    const reached: string[] = [];
    const budget = new BodyBudget({ whole: 100, ofOne: 50 }, (network) => reached.push(network));
    expect(budget.openBody('10.0.0.1', 60)).toBeNull();
    expect(reached).toEqual([]);
    expect(budget.openBody('10.0.0.1', 0)?.add(40)).toBe(true);
    expect(budget.openBody('10.0.0.1', 20)).toBeNull();
    expect(reached).toHaveLength(1);
    budget.openBody('10.0.0.2', 0)?.add(50);
    expect(budget.openBody('10.0.0.3', 20)).toBeNull();
    expect(reached).toHaveLength(1);
  });
});
