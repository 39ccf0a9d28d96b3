import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { loadLanguages } from './design/catalogues.ts';

const { lang, dataset } = document.documentElement;
// The page's own, and the reader's: from an English page a link may lead to one in it.
await loadLanguages([lang, dataset.language ?? lang]);
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
