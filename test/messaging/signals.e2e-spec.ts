import { Signals, tenantChannel } from '@atrium/platform/messaging';
import { describeMessaging } from './contract';
import { inScope, scopeOfNewTenant, startApi, until } from './processes';

describeMessaging('Signals', (messaging) => {
  it('carries signals from process to process, to their workspace only, and after a lost connection', async () => {
    const other = await startApi(messaging.backend.address);
    const heard: unknown[] = [];
    const say = (text: string, as = messaging.scope) => inScope(as, () => other.get(Signals).publish(tenantChannel('door'), { text }));
    const unsubscribe = await inScope(messaging.scope, () =>
      messaging.api.get(Signals).subscribe(tenantChannel('door'), ({ text }) => void heard.push(text)),
    );
    await say('elsewhere', scopeOfNewTenant());
    await say('open');
    await until(
      'it is heard',
      () => heard.length,
      (n) => n > 0,
    );
    expect(heard).toEqual(['open']);
    await messaging.backend.cutListeners();
    await until('it is heard again', async () => (await say('again'), heard.includes('again')), Boolean);
    await unsubscribe();
    await other.close();
  });
});
