import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from '@atrium/platform/config';
import { Clock } from '@atrium/platform/kernel';
import { DEVICE_KNOWN_MS } from '../../throttle/sign-in-limits';

const PURPOSE = 'device';

/** An account and the password it has: a device is known for both. */
export interface DeviceOwner {
  readonly acc_id: string;
  /** When the password was set. */
  readonly era: string | null;
}

/**
 * Devices that signed in before, by a token that they keep: sealed, so that nothing is stored of them. A token proves no
 * person; it has the device counted apart from strangers when its person mistypes a password.
 */
@Injectable()
export class KnownDevices {
  constructor(
    private readonly keyring: Keyring,
    private readonly clock: Clock,
  ) {}

  token({ acc_id, era }: DeviceOwner): string {
    return this.keyring.seal(
      PURPOSE,
      JSON.stringify({ acc_id, era, device: randomBytes(12).toString('base64url'), since: this.clock.now().getTime() }),
    );
  }

  /** The name of the device, if the token is of this account and its present password, and not too old. */
  named(token: string | null | undefined, owner: DeviceOwner): string | null {
    if (!token) return null;
    try {
      const { acc_id, era, device, since } = JSON.parse(this.keyring.open(PURPOSE, token)) as DeviceOwner & {
        readonly device: string;
        readonly since: number;
      };
      return acc_id === owner.acc_id && era === owner.era && this.clock.now().getTime() - since < DEVICE_KNOWN_MS ? device : null;
    } catch {
      return null;
    }
  }
}
