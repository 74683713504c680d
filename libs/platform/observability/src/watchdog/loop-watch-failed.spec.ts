import { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import { LoopWatch, type WatchdogThread } from './loop-watch';

const threads: EventEmitter[] = [];

class Watched extends LoopWatch {
  protected override openThread(): WatchdogThread {
    const thread = new EventEmitter();
    threads.push(thread);
    return Object.assign(thread, { unref: () => undefined, terminate: () => Promise.resolve(0) }) as unknown as WatchdogThread;
  }
}

describe('a watchdog that fails', () => {
  it('is reported and started again after a while', async () => {
    jest.useFakeTimers();
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const loop = new Watched();
    try {
      loop.start({ service: 'spec', databaseUrl: '', reportMs: 300, endMs: 1_000, describe: () => null });
      expect(threads).toHaveLength(1);
      const failure = new Error('out of memory');
      threads[0]?.emit('error', failure);
      expect(error).toHaveBeenCalledWith(expect.objectContaining({ msg: expect.stringContaining('has failed') as string, err: failure }));
      jest.advanceTimersByTime(59_000);
      expect(threads).toHaveLength(1);
      jest.advanceTimersByTime(1_000);
      expect(threads).toHaveLength(2);
    } finally {
      await loop.onApplicationShutdown();
      jest.useRealTimers();
    }
  });
});
