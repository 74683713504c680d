import { withoutEnd } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { WorkspaceOptions } from '@atrium/identity';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { newPublicKey } from '../domain/public-object';
import { publicName } from '../domain/public-name';
import type { Address } from '../domain/publication';
import { PUBLIC_HOSTNAME } from '../../control/application/distribution-options';

/** Mints permanent addresses: under the host that the workspace chose, else under that of this service. */
@Injectable()
export class PublicAddresses {
  constructor(
    private readonly settings: Settings,
    private readonly options: WorkspaceOptions,
  ) {}

  /** The origin of everything that is shown to the public without an own host. */
  get origin(): string {
    return withoutEnd(this.settings.PUBLIC_URL || publicOrigin(this.settings), /\//);
  }

  /** Within an open unit of work. */
  async mint({ file_name, file_type }: { readonly file_name: string; readonly file_type: string }): Promise<Address> {
    const own = await this.options.of(PUBLIC_HOSTNAME);
    const [pub_key, pub_name] = [newPublicKey(), publicName(file_name, file_type)];
    const origin = own === null ? this.origin : `https://${own}`;
    return { pub_key, pub_name, pub_hostname: own ?? new URL(origin).host, pub_url: `${origin}/p/${pub_key}/${pub_name}` };
  }
}
