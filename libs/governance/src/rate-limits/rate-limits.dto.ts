import { Choice, Whole } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf } from '@atrium/platform/http';

@Answer()
export class RatePolicyView {
  @Choice(['read', 'write', 'ai', 'upload', 'search', 'admin-report', 'workspace'], {
    sort: true,
    filter: 'equals',
    about:
      'Class of requests that count towards the limit. `workspace` counts all requests: of all users, or with the scope `caller` of one user with all their API keys.',
  })
  rl_class!: string;
  @Whole({ sort: true, about: 'Maximum number of requests in the window.' }) rl_limit!: number;
  @Whole({ about: 'Length of the window in seconds.' }) rl_window_seconds!: number;
  @Choice(['caller', 'workspace', 'address'], { filter: 'equals', about: 'Whose requests are counted together.' }) rl_scope!: string;
  @Whole({ sort: true, about: 'Requests remaining in the current window.' }) rl_remaining!: number;
  @Whole({ about: 'Seconds until the next window begins.' }) rl_reset_seconds!: number;
}

export class RatePolicyPage extends PageOf(RatePolicyView) {}
export class ListRatePolicies extends ListQuery(RatePolicyView, { whole: true }) {}

const MOST = 100_000_000;

/** Requests a minute by class; what is not named keeps the usual allowance. */
@Accepts()
@Answer()
export class GrantedRates {
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Read requests of one user.' }) read?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Write requests of one user.' }) write?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Model requests of one user.' }) ai?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Uploads created by one user.' }) upload?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Searches of one user.' }) search?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Reports requested by one user.' }) 'admin-report'?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'All requests of all users.' }) workspace?: number;
}
