import { Clock } from '@atrium/platform/kernel';
import type { Grant } from '../../network/domain/social-port';
import { SocialConnection } from './social-connection';

const NOW = new Date('2026-11-30T10:00:00Z');
const DAY = 86_400_000;
class ClockAt extends Clock {
  constructor(private readonly at: Date) {
    super();
  }

  override now(): Date {
    return this.at;
  }
}
const clockAt = (at: Date): Clock => new ClockAt(at);
const CLOCK = clockAt(NOW);
const ACCOUNT = { account_id: 'a', account_name: 'Ada', account_picture: null, authors: [] };
const grant = (wish: Partial<Grant> = {}): Grant => ({
  access: 'x',
  expires_in: 60 * 86_400,
  refresh: null,
  refresh_expires_in: null,
  scopes: ['openid'],
  ...wish,
});

function connected(wish: Partial<Grant> = {}): SocialConnection {
  const connection = SocialConnection.blank(
    { con_id: 'c', con_platform: 'linkedin', con_account_id: 'a', con_account_name: 'Ada', con_connected_by: 'u' },
    NOW,
  );
  const given = grant(wish);
  connection.connect(given, ACCOUNT, { access: 'sealed', refresh: given.refresh && 'sealed-r' }, { by: 'u', clock: CLOCK });
  return connection;
}

describe('a connection', () => {
  it('warns once at 14, 7, 3 and 1 days, and expires', () => {
    const connection = connected();
    const seen = [45, 46, 50, 53, 57, 58, 59, 59.5, 60].map((day) => {
      const { became, warns } = connection.review(clockAt(new Date(NOW.getTime() + day * DAY)));
      return [became, warns];
    });
    expect(seen).toEqual([
      [null, null],
      [null, 14],
      ['expiring', null],
      [null, 7],
      [null, 3],
      [null, null],
      [null, 1],
      [null, null],
      ['expired', null],
    ]);
  });

  it('with a refresh token is renewed in its last week instead', () => {
    const connection = connected({ refresh: 'r', refresh_expires_in: 365 * 86_400 });
    expect(connection.review(clockAt(new Date(NOW.getTime() + 52 * DAY)))).toEqual({ became: null, warns: null, isRefreshed: false });
    expect(connection.review(clockAt(new Date(NOW.getTime() + 54 * DAY)))).toEqual({ became: null, warns: null, isRefreshed: true });
  });

  it('is renewed by one of two who read the same tokens, and never ends later than the first grant said', () => {
    const connection = connected({ refresh: 'r', refresh_expires_in: 100 });
    const ends = connection.con_refresh_expires;
    expect(connection.claimRefresh(1, CLOCK)).toBe(true);
    expect(connection.claimRefresh(1, CLOCK)).toBe(false);
    connection.refresh(grant({ refresh_expires_in: 5_000 }), { access: 'sealed-2', refresh: null }, CLOCK);
    expect(connection).toMatchObject({ con_refresh: 'sealed-r', con_refresh_expires: ends, con_token_version: 2, con_access: 'sealed-2' });
    expect(connection.claimRefresh(1, CLOCK)).toBe(false);
    expect(connection.claimRefresh(2, CLOCK)).toBe(true);
    expect(connection.claimRefresh(2, clockAt(new Date(NOW.getTime() + 61_000)))).toBe(true);
  });

  it('keeps nothing of its tokens when it is disconnected, and is active when the account is connected again', () => {
    const connection = connected({ refresh: 'r', refresh_expires_in: 100 });
    connection.disconnect(CLOCK);
    expect(connection).toMatchObject({ con_access: null, con_refresh: null, con_status: 'revoked', isUsable: false });
    connection.connect(grant(), ACCOUNT, { access: 's', refresh: null }, { by: 'v', clock: CLOCK });
    expect(connection).toMatchObject({ con_status: 'active', con_removed: null, con_connected_by: 'v', isUsable: true });
  });
});
