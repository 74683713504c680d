import { Choice, IdList, Stamp, TextList } from '@atrium/platform/database';
import { Accepts } from '@atrium/platform/http';
import { DISTRIBUTIONS, type Distribution } from '../domain/release-rules';

/** Rules of a release. */
@Accepts()
export class ReleaseBody {
  @Choice(DISTRIBUTIONS, { about: 'Whether the file is available worldwide or restricted by rules.', example: 'restricted' })
  distribution!: Distribution;
  @TextList({
    omittable: true,
    max: 300,
    about: 'Denied clients: `FR`, a group (`EU`, `EEA`, `EFTA`), `host:example.com` (and its subdomains), `ip:203.0.113.0/24`.',
    example: ['FR', 'host:example.com'],
  })
  deny?: string[];
  @IdList({ omittable: true, max: 50, about: 'Active restrictions of the catalog.' }) restrictions?: string[];
  @Stamp({ optional: true, about: 'Start of the publication. Null or in the past: immediately.' }) start?: Date | null;
  @Stamp({ optional: true, about: 'End of the publication (exclusive). Null: no end.' }) end?: Date | null;
}
