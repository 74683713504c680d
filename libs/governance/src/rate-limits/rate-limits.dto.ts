import { Choice, Whole } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf } from '@atrium/platform/http';

@Answer()
export class RatePolicyView {
  @Choice(['read', 'write', 'ai', 'upload', 'search', 'admin-report', 'workspace'], {
    sort: true,
    filter: 'equals',
    about:
      'What kind of request counts against it; `workspace` counts all of them: of all callers, or with the scope `caller` of one person with all their keys.',
  })
  rl_class!: string;
  @Whole({ sort: true, about: 'Requests allowed in the window.' }) rl_limit!: number;
  @Whole({ about: 'Length of the window, in seconds.' }) rl_window_seconds!: number;
  @Choice(['caller', 'workspace', 'address'], { filter: 'equals', about: 'Whose requests are counted together.' }) rl_scope!: string;
  @Whole({ sort: true, about: 'Requests left in this window.' }) rl_remaining!: number;
  @Whole({ about: 'Seconds until the next window begins.' }) rl_reset_seconds!: number;
}

export class RatePolicyPage extends PageOf(RatePolicyView) {}
export class ListRatePolicies extends ListQuery(RatePolicyView, { whole: true }) {}

const MOST = 100_000_000;

/** Requests a minute by class; what is not named keeps the usual allowance. */
@Accepts()
@Answer()
export class GrantedRates {
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Reads of one caller.' }) read?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Changes of one caller.' }) write?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Calls of models by one caller.' }) ai?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Uploads begun by one caller.' }) upload?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Searches of one caller.' }) search?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'Reports asked for by one caller.' }) 'admin-report'?: number;
  @Whole({ omittable: true, min: 1, max: MOST, about: 'All requests of all callers.' }) workspace?: number;
}
