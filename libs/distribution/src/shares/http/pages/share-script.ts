/**
 * What makes the page of a link quicker, never what makes it work: ticks that survive pages, reloads and steps to a file,
 * further files as somebody scrolls, pictures as they are made, counts as they fall, and keys between files.
 */
export const SHARE_SCRIPT = `
(() => {
  'use strict';
  const main = document.querySelector('[data-share]');
  if (!main) return;
  const base = main.dataset.share;
  const words = JSON.parse(main.dataset.words);
  const key = 'atrium-picks:' + base;
  const $ = (selector) => main.querySelector(selector);
  const all = (selector) => [...main.querySelectorAll(selector)];
  const form = document.getElementById('chosen');
  const remembered = () => { try { return JSON.parse(sessionStorage.getItem(key)) || []; } catch { return []; } };
  const picks = new Set([...remembered(), ...[...form.querySelectorAll('[name=pick]')].map((field) => field.value), ...all('[name=pick]:checked').map((box) => box.value)]);
  for (const field of form.querySelectorAll('[name=pick]')) field.remove();

  const show = () => {
    const bar = $('.choose');
    if (!bar) return;
    bar.classList.toggle('none', picks.size === 0);
    bar.querySelector('.count').textContent = picks.size === 0 ? '' : words.picked.replace('{n}', picks.size);
    bar.querySelector('[data-clear]').hidden = picks.size === 0;
  };
  const tick = () => {
    for (const box of all('[name=pick]')) box.checked = picks.has(box.value);
    show();
  };
  const keep = () => {
    sessionStorage.setItem(key, JSON.stringify([...picks]));
    show();
  };
  for (const hidden of all('.scripted')) hidden.hidden = false;
  main.addEventListener('change', (event) => {
    if (event.target.name !== 'pick') return;
    if (event.target.checked) picks.add(event.target.value);
    else picks.delete(event.target.value);
    keep();
  });
  let pressed = null;
  form.addEventListener('submit', (event) => { pressed = event.submitter; });
  form.addEventListener('formdata', (event) => {
    event.formData.delete('pick');
    if (pressed && pressed.name === 'which') for (const id of picks) event.formData.append('pick', id);
  });
  const clear = $('[data-clear]');
  if (clear) clear.addEventListener('click', () => { picks.clear(); keep(); tick(); });

  // Further files join the ones that are there; what was ticked stays ticked.
  const grow = async () => {
    const more = $('.more button');
    if (!more || more.disabled) return;
    more.disabled = true;
    try {
      const response = await fetch(base + '?cursor=' + encodeURIComponent(more.value), { headers: { Accept: 'text/html' } });
      if (!response.ok) throw new Error();
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const list = $('ul.grid,ul.list,ul.slides');
      const known = new Set([...list.children].map((item) => item.id));
      for (const item of page.querySelectorAll('li.tile')) if (!known.has(item.id)) list.append(document.adoptNode(item));
      const next = page.querySelector('.more');
      more.closest('.more').replaceWith(...(next ? [document.adoptNode(next)] : []));
      watch();
      tick();
      waitForPictures();
    } catch {
      more.disabled = false;
    }
  };
  const watcher = 'IntersectionObserver' in window ? new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) grow(); }, { rootMargin: '600px' }) : null;
  const watch = () => {
    const more = $('.more button');
    if (!more) return;
    more.addEventListener('click', (event) => { event.preventDefault(); grow(); });
    if (watcher) watcher.observe(more);
  };

  // Pictures appear when they are made, and counts as they are then.
  let asking = null;
  let wanted = 0;
  const count = (name, n, text) => { for (const place of all('[data-count=' + name + ']')) if (n !== null) place.textContent = text.replace('{n}', n); };
  const ask = async () => {
    const waiting = all('[data-await]').slice(0, 60);
    const response = await fetch(base + '/now?of=' + waiting.map((place) => place.dataset.await).join(','), { headers: { Accept: 'application/json' } });
    if (!response.ok) throw new Error(String(response.status));
    const { pictures, downloads_left } = await response.json();
    count('downloads', downloads_left, words.left);
    for (const place of waiting) {
      const address = pictures[place.dataset.await];
      if (!address) continue;
      if (place.hasAttribute('data-whole')) return location.reload();
      const image = new Image();
      image.alt = place.dataset.alt;
      image.src = address;
      place.replaceWith(image);
    }
  };
  const waitForPictures = () => {
    const line = $('.making');
    const left = all('[data-await]').length;
    wanted = Math.max(wanted, left);
    if (line) {
      line.hidden = left === 0;
      const bar = line.querySelector('progress');
      bar.max = wanted;
      bar.value = wanted - left;
      line.querySelector('span').textContent = words.making + ' ' + (wanted - left) + ' / ' + wanted;
    }
    if (left === 0 || asking) return;
    asking = setTimeout(() => ask().catch(() => undefined).then(() => { asking = null; waitForPictures(); }), 1200);
  };
  main.addEventListener('click', (event) => {
    if (!event.target.closest('[data-takes]') || !$('[data-count=downloads]')) return;
    for (const pause of [800, 3000]) setTimeout(() => ask().catch(() => undefined), pause);
  });

  addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || /^(input|select|textarea)$/i.test(event.target.tagName) && event.target.type !== 'checkbox') return;
    const way = { ArrowLeft: 'a[rel=prev]', ArrowRight: 'a[rel=next]', Escape: '[data-back]' }[event.key];
    const link = way && $(way);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
  addEventListener('pageshow', () => {
    picks.clear();
    for (const id of remembered()) picks.add(id);
    tick();
  });
  keep();
  tick();
  watch();
  waitForPictures();
})();
`.trim();
