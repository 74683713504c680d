import { neighbourhoodOf, networkOf } from './network';

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['', ''],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('is one for all addresses of a /64, and another for its neighbour', () => {
    expect(networkOf('2001:db8:1:2:ffff::1')).toBe(networkOf('2001:db8:1:2::2'));
    expect(networkOf('2001:db8:1:3::2')).not.toBe(networkOf('2001:db8:1:2::2'));
  });

  it('is wider where nothing else bounds it', () => {
    expect([neighbourhoodOf('203.0.113.7'), neighbourhoodOf('2001:db8:1:2:3::4')]).toEqual(['203.0.113.0/24', '2001:db8:1::/48']);
  });
});
