/** The share menu where scripts run: the system's own menu where there is one, and a button that copies the address. */

for (const menu of document.querySelectorAll('[data-share-url]')) {
  const { shareTitle: title, shareUrl: url } = menu.dataset;
  const copy = menu.querySelector('[data-copy]');
  if (copy && navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(url);
      copy.textContent = copy.dataset.copied;
    });
  }
  const summary = menu.querySelector('summary');
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    summary?.addEventListener('click', (event) => {
      event.preventDefault();
      // A reader who closes the menu has changed their mind.
      navigator.share({ title, url }).catch(() => undefined);
    });
  }
}
// A menu closes when the reader goes elsewhere.
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
  }
});
