import { html } from './html';

describe('markup of a page', () => {
  it('takes nothing from what is put into it but its letters', () => {
    const name = `"><script>alert('x')</script>&`;
    expect(html`<a title="${name}">${name}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</a>',
    );
  });

  it('puts pieces together and leaves out what is not there', () => {
    expect(
      html`<ul>
        ${['a', 'b'].map((item) => html`<li>${item}</li>`)}${null}${false}${undefined}${0}
      </ul>`.text,
    ).toBe('<ul><li>a</li><li>b</li>0</ul>');
  });
});
