import { assertRedirect } from './redirect-uri';

describe('an address that an authorization leads back to', () => {
  it.each(['https://app.example.com/callback', 'http://localhost:3000/x', 'http://127.0.0.1/x?a=1'])('may be %s', (address) =>
    expect(() => assertRedirect(address, [])).not.toThrow(),
  );

  it.each([
    'javascript:alert(1)',
    'http://example.com/x',
    'https://example.com/#x',
    '/callback',
    '',
    'https://a:b@example.com/',
    'data:text/html,x',
  ])('may not be %s', (address) => expect(() => assertRedirect(address, [])).toThrow('redirect_uri: must be an absolute https URL'));

  it('is one of those that the operator allows', () => {
    expect(() => assertRedirect('https://a.example.com/x', ['https://a.example.com/x'])).not.toThrow();
    expect(() => assertRedirect('https://a.example.com/y', ['https://a.example.com/x'])).toThrow('is not one of the addresses');
  });
});
