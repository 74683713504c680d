import { RATE_CLASSES, type RateClass } from '@atrium/platform/access';
import { listOf } from '@atrium/platform/config';

/** Every allowance is so many requests in this time. */
export const RATE_WINDOW_SECONDS = 60;

export type RateKind = RateClass | 'workspace';

/** Requests a minute: `auth` of an address, `workspace` of all callers together, the others of one caller. */
export type RateAllowances = Readonly<Record<RateKind, number>>;

/** Of what all callers of a workspace may ask together, one person may ask so much, by all their keys. */
export const shareOfOne = ({ workspace }: RateAllowances): number => Math.ceil(workspace / 2);

const USUAL: RateAllowances = { read: 1_200, write: 300, ai: 60, upload: 120, search: 300, 'admin-report': 60, auth: 30, workspace: 6_000 };

const isKind = (name: string): name is RateKind => name === 'workspace' || (RATE_CLASSES as readonly string[]).includes(name);

/** `RATE_LIMITS=read=2400,workspace=20000`: what differs from the usual. */
export function allowancesOf(setting: string): RateAllowances {
  const changed = listOf(setting).map((entry) => {
    const [, name = '', number = ''] = /^([a-z-]+)=([1-9]\d{0,8})$/.exec(entry) ?? [];
    if (!isKind(name))
      throw new Error(`RATE_LIMITS: ${entry} is not <class>=<requests a minute>; classes are ${Object.keys(USUAL).join(', ')}.`);
    return [name, Number(number)] as const;
  });
  return { ...USUAL, ...Object.fromEntries(changed) };
}
