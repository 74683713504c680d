import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { EventStreams, StreamFenced, FROM_START } from '@atrium/platform/messaging';
import { describeMessaging } from './contract';
import { inScope, scopeOfNewTenant, until } from './processes';

describeMessaging('Streams', (messaging) => {
  it('refuses what a writer that was replaced appends, by the name of its fence, and what nobody fenced is not asked', async () => {
    const streams = messaging.api.get(EventStreams);
    await inScope(messaging.scope, async () => {
      const stream = `fenced/${newId()}`;
      const by = (name: string, token: number) => streams.appendEvent(stream, { by: `${name}${token}` }, { name, token });
      await by('a', 1);
      await by('a', 2);
      await expect(by('a', 1)).rejects.toThrow(StreamFenced);
      await by('a', 2);
      await by('b', 1);
      await streams.appendEvent(stream, { by: 'nobody' });
      const told = (await streams.readEvents(stream, FROM_START, 10)).events.map(({ event }) => event.by);
      expect(told).toEqual(['a1', 'a2', 'a2', 'b1', 'nobody']);
    });
  });

  it('appends events that come at once in their order, or none of them, and notifies those who follow', async () => {
    const streams = messaging.api.get(EventStreams);
    await inScope(messaging.scope, async () => {
      const stream = `at-once/${newId()}`;
      const heard: { readonly id: string; readonly n: unknown }[] = [];
      const joined = await streams.joinStream(stream, { onEvent: ({ id, event }) => heard.push({ id, n: event.n }) });
      const last = await streams.appendAll(stream, [{ n: 1 }, { n: 2 }, { n: 3 }], { name: 'run', token: 2 });
      await expect(streams.appendAll(stream, [{ n: 4 }, { n: 5 }], { name: 'run', token: 1 })).rejects.toThrow(StreamFenced);
      // Larger than a signal.
      const large = await streams.appendEvent(stream, { n: 6, text: 'x'.repeat(20_000) });
      await streams.appendEvent(stream, { n: 7 });
      await until(
        'all of them are heard',
        () => heard.length,
        (count) => count === 5,
      );
      const { events } = await streams.readEvents(stream, FROM_START, 10);
      expect(events.map(({ event }) => event.n)).toEqual([1, 2, 3, 6, 7]);
      expect([events[2]?.id, events[3]?.id]).toEqual([last, large]);
      expect(heard).toEqual(events.map(({ id, event }) => ({ id, n: event.n })));
      await joined.leaveStream();
    });
  });

  it('forgets all streams and fences of a workspace that are kept beyond its tables, and no others', async () => {
    const streams = messaging.api.get(EventStreams);
    const [going, staying] = [newId(), newId()];
    const events = (tenant: string): Promise<number> =>
      inWorkspace(tenant, async () => (await streams.readEvents('answer', FROM_START, 10)).events.length);
    for (const tenant of [going, staying])
      await inWorkspace(tenant, () => streams.appendEvent('answer', { n: 1 }, { name: 'run', token: 1 }));
    const { removed, isDone } = await inWorkspace(going, () => streams.forgetOwn(10));
    expect(isDone).toBe(true);
    expect({ removed, events: await events(going) }).toEqual(
      messaging.backend.address.redisUrl ? { removed: 2, events: 0 } : { removed: 0, events: 1 },
    );
    expect(await events(staying)).toBe(1);
  });

  it('says whether an id is still in the stream, and which is the newest', async () => {
    const streams = messaging.api.get(EventStreams);
    await inScope(messaging.scope, async () => {
      const stream = `known/${newId()}`;
      const [first, second] = [await streams.appendEvent(stream, { n: 1 }), await streams.appendEvent(stream, { n: 2 })];
      expect(await streams.readEvents(stream, first, 10)).toEqual({
        events: [{ id: second, event: { n: 2 } }],
        known: true,
        newest: second,
      });
      expect(await streams.readEvents(stream, second, 10)).toEqual({ events: [], known: true, newest: second });
      for (const unknown of [FROM_START, 'nonsense', `${first}9`])
        expect((await streams.readEvents(stream, unknown, 10)).known).toBe(false);
      expect([streams.isAfter(second, first), streams.isAfter(first, second), streams.isAfter(first, first)]).toEqual([true, false, false]);
      const since = streams.idSince(new Date());
      expect((await streams.readEvents(stream, since, 10)).events).toHaveLength(2);
    });
  });

  it('passes every event to all who listen to a stream, once and in order, and none to those who left', async () => {
    const streams = messaging.api.get(EventStreams);
    await inScope(messaging.scope, async () => {
      const stream = `shared/${newId()}`;
      await streams.appendEvent(stream, { n: 0 });
      const heard: number[][] = [[], [], []];
      const deaf = await streams.joinStream(stream, {
        onEvent: () => {
          throw new Error('deaf');
        },
      });
      const joined = await Promise.all(
        heard.map((list) => streams.joinStream(stream, { onEvent: ({ event }) => list.push(Number(event.n)) })),
      );
      await joined[2]?.leaveStream();
      for (let n = 1; n <= 250; n++) await streams.appendEvent(stream, { n });
      const all = Array.from({ length: 250 }, (_, at) => at + 1);
      await until(
        'both have heard it all',
        () => [heard[0]?.length, heard[1]?.length],
        ([a, b]) => a === 250 && b === 250,
      );
      expect(heard).toEqual([all, all, []]);
      await Promise.all([deaf, ...joined].map((one) => one.leaveStream()));
    });
  });

  it('lets a reader resume a stream where it was and follow it', async () => {
    const streams = messaging.api.get(EventStreams);
    await inScope(messaging.scope, async () => {
      const [first] = [await streams.appendEvent('answer', { n: 1 }), await streams.appendEvent('answer', { n: 2 })];
      expect((await streams.readEvents('answer', FROM_START, 10)).events.map((one) => one.event)).toEqual([{ n: 1 }, { n: 2 }]);
      expect((await streams.readEvents('answer', 'nonsense', 10)).events.map((one) => one.event)).toEqual([{ n: 1 }, { n: 2 }]);
      const stop = new AbortController();
      const seen: unknown[] = [];
      const following = (async () => {
        for await (const { event } of streams.tailStream('answer', first, stop.signal)) seen.push(event);
      })();
      await until(
        'it has caught up',
        () => seen.length,
        (n) => n === 1,
      );
      await Promise.all([3, 4, 5].map((n) => streams.appendEvent('answer', { n })));
      await until(
        'it follows',
        () => seen.length,
        (n) => n === 4,
      );
      stop.abort();
      await following;
      expect(seen[0]).toEqual({ n: 2 });
      const ids = (await streams.readEvents('answer', FROM_START, 10)).events.map((one) => one.id);
      expect(new Set(ids).size).toBe(5);
    });
    await inScope(scopeOfNewTenant(), async () =>
      expect(await streams.readEvents('answer', FROM_START, 10)).toEqual({ events: [], known: false, newest: null }),
    );
  });
});
