import { AddressPolicy } from './address-policy';

describe('AddressPolicy', () => {
  const closed = new AddressPolicy([]);

  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'])('opens the public address %s', (address) => {
    expect(closed.classifyAddress(address)).toBe('public');
  });

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.9.8.7'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['link-local', '169.254.1.1'],
    ['cloud metadata', '169.254.169.254'],
    ['cloud metadata', '168.63.129.16'],
    ['carrier NAT', '100.64.0.1'],
    ['cloud metadata behind carrier NAT', '100.100.100.200'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['benchmarking', '198.18.0.1'],
    ['protocol assignments', '192.0.0.192'],
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped in hexadecimal', '::ffff:7f00:1'],
    ['IPv4-compatible', '::7f00:1'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:1::'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fc00::1'],
    ['cloud metadata', 'fd00:ec2::254'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['unassigned', '4000::1'],
    ['no address', 'example.com'],
    ['nothing', ''],
  ])('refuses %s %s', (_, address) => {
    expect(closed.classifyAddress(address)).toBe('refused');
  });

  it('opens what the operator lists by range or address, in any spelling of the address', () => {
    const policy = new AddressPolicy(['10.1.0.0/16', '192.168.7.7', 'fd12::/16']);
    expect(policy.classifyAddress('10.1.2.3')).toBe('allow-listed');
    expect(policy.classifyAddress('::ffff:10.1.2.3')).toBe('allow-listed');
    expect(policy.classifyAddress('192.168.7.7')).toBe('allow-listed');
    expect(policy.classifyAddress('fd12::9')).toBe('allow-listed');
    expect(policy.classifyAddress('10.2.0.1')).toBe('refused');
    expect(policy.classifyAddress('192.168.7.8')).toBe('refused');
  });

  it('opens hosts by their whole name only', () => {
    const policy = new AddressPolicy(['Hooks.Internal']);
    expect(policy.allowsHost('hooks.internal')).toBe(true);
    expect(policy.allowsHost('HOOKS.internal.')).toBe(true);
    expect(policy.allowsHost('evil-hooks.internal')).toBe(false);
    expect(policy.allowsHost('a.hooks.internal')).toBe(false);
  });

  it('refuses a list that holds a broken range', () => {
    expect(() => new AddressPolicy(['10.0.0.0/99'])).toThrow('OUTBOUND_ALLOW: "10.0.0.0/99" is not a host, an address or a CIDR range.');
  });
});
