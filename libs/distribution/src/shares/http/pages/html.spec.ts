import { html } from './html';

describe('markup of a page', () => {
  it('takes nothing from what is put into it but its letters', () => {
    const name = `"><script>alert('x')</script>&`;
    expect(html`<a title="${name}">${name}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</a>',
    );
  });

  it('puts pieces together and leaves out what is not there', () => {
    const items = ['a', 'b'].map((item) => html`<li>${item}</li>`);
    expect(html`<p>${items}${null}${false}${undefined}${0}</p>`.text).toBe('<p><li>a</li><li>b</li>0</p>');
  });
});
