import { BackgroundJobs, planJob, PermanentFailure } from '@atrium/platform/messaging';
import { describeMessaging, gate } from './contract';
import { inScope, scopeOfNewTenant, until } from './processes';
import { pack } from './shop';

describeMessaging('Background jobs', (messaging) => {
  const { worker, seen, cancelled, done } = messaging;

  it('shows a background job to who asked for it, from queued to its end', async () => {
    const jobs = messaging.api.get(BackgroundJobs);
    const asked = await inScope(messaging.scope, () => jobs.startJob(planJob(pack, { item: 'tracked' }), { total: 4 }));
    expect(asked).toMatchObject({ job_kind: 'shop.pack', status: 'queued', done: 0, failed: 0, total: 4, error: null, result: null });
    const shop = await worker();
    const busy = gate();
    shop.when('tracked', async (_payload, run) => {
      await run.reportProgress(3, 4, 1);
      await busy.opened;
      return { boxes: 2 };
    });
    const look = () => seen(asked.job_id);
    expect(await until('it progresses', look, (seen) => seen.done === 3)).toMatchObject({ status: 'running', failed: 1, total: 4 });
    busy.open();
    expect(await until('it ends', look, (seen) => seen.status === 'partial')).toMatchObject({ result: { boxes: 2 }, error: null });
    await expect(seen(asked.job_id, { ...messaging.scope, actor: scopeOfNewTenant().actor })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(seen(asked.job_id, scopeOfNewTenant())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has failed where every item of a background job did, and keeps what it found', async () => {
    const jobs = messaging.api.get(BackgroundJobs);
    const { job_id } = await inScope(messaging.scope, () => jobs.startJob(planJob(pack, { item: 'all failed' })));
    const shop = await worker();
    shop.when('all failed', async (_payload, run) => {
      await run.reportProgress(0, 3, 3);
      return { boxes: 0 };
    });
    const look = () => seen(job_id);
    expect(await until('it ends', look, (seen) => seen.status === 'failed')).toMatchObject({
      ...{ done: 0, failed: 3, result: { boxes: 0 }, error: 'All 3 items failed.' },
    });
  });

  it('counts the steps of a background job on, whichever run takes them, and undoes those that come after its end', async () => {
    const jobs = messaging.api.get(BackgroundJobs);
    const { job_id } = await inScope(messaging.scope, () => jobs.startJob(planJob(pack, { item: 'stepwise' }), { total: 4 }));
    const step = (by: number) => inScope(messaging.scope, () => jobs.advanceJob(job_id, by));
    expect([await step(3), await step(0), await step(3)]).toEqual([3, 3, 6]);
    expect(await seen(job_id)).toMatchObject({ done: 6, total: 6 });
    await expect(inScope(scopeOfNewTenant(), () => jobs.advanceJob(job_id, 1))).rejects.toMatchObject({ name: 'WorkEnded' });
    await cancelled(job_id);
    await expect(step(1)).rejects.toMatchObject({ name: 'WorkEnded' });
    expect(await seen(job_id)).toMatchObject({ status: 'cancelled', done: 6 });
  });

  it('lets a background job be cancelled while it runs and before, and leaves a finished one alone', async () => {
    const jobs = messaging.api.get(BackgroundJobs);
    const early = await inScope(messaging.scope, () => jobs.startJob(planJob(pack, { item: 'early' })));
    await cancelled(early.job_id);
    const shop = await worker();
    shop.when('running', async (_payload, run) => {
      await until('it is cancelled', () => run.isCancelled(), Boolean);
    });
    const running = await inScope(messaging.scope, () => jobs.startJob(planJob(pack, { item: 'running' })));
    await until(
      'it runs',
      () => shop.runsOf('running').length,
      (runs) => runs === 1,
    );
    expect(await cancelled(running.job_id)).toMatchObject({ status: 'cancelled' });
    await Promise.all([early.job_id, running.job_id].map((id) => done(id)));
    expect(shop.runsOf('early')).toHaveLength(0);
    shop.when('failing', async () => {
      throw new PermanentFailure('no such shelf');
    });
    const failing = await inScope(messaging.scope, () => jobs.startJob(planJob(pack, { item: 'failing' })));
    await done(failing.job_id);
    expect(await cancelled(failing.job_id)).toMatchObject({ status: 'failed', error: 'no such shelf' });
  });
});
