import { Injectable } from '@nestjs/common';
import { Keyring } from '@atrium/platform/config';
import { isId, Problem, type JsonObject } from '@atrium/platform/kernel';

/**
 * Seals the credentials of a workspace at its providers, and opens them again. A credential is sealed for one workspace and one
 * use: moved into another row it does not open. The sealed text is `v1.<key id>.<iv>.<tag>.<body>`, so that rows sealed
 * by a retired master key can be found and sealed again.
 */
@Injectable()
export class Credentials {
  private readonly keyId: string;

  constructor(private readonly keyring: Keyring) {
    this.keyId = keyIdOf(keyring.seal('credential:', ''));
  }

  /** `use` names the kind of credential, for example `cms-connection`. */
  seal(tenant_id: string, use: string, credential: JsonObject): string {
    return this.keyring.seal(purposeOf(tenant_id, use), JSON.stringify(credential));
  }

  open(tenant_id: string, use: string, sealed: string): JsonObject {
    try {
      return JSON.parse(this.keyring.open(purposeOf(tenant_id, use), sealed)) as JsonObject;
    } catch {
      throw new Problem('unprocessable_content', 'The stored credential can no longer be read. Enter it again.');
    }
  }

  /** Whether the current master key sealed it; if not, it must be sealed again. */
  isCurrent(sealed: string): boolean {
    return keyIdOf(sealed) === this.keyId;
  }

  /** The text sealed by another keyring, sealed by this one: a step of the rotation of the master key. */
  reseal(retired: Credentials, tenant_id: string, use: string, sealed: string): string {
    return this.isCurrent(sealed) ? sealed : this.seal(tenant_id, use, retired.open(tenant_id, use, sealed));
  }
}

const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? '';

function purposeOf(tenant_id: string, use: string): string {
  if (!isId(tenant_id)) throw new Error('A credential belongs to a workspace.');
  return `credential:${tenant_id.toLowerCase()}:${use}`;
}
