/** How much of a limit is used: a bar with its words beside it, from three quarters on in another color. */
export function Meter({ label, used, limit }: { label: string; used: number; limit: number }) {
  const share = limit === 0 ? 0 : Math.min(1, used / limit);
  const kind = share >= FULL ? 'bad' : share >= NEARLY ? 'warn' : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> each in their own way
    <svg
      className={`meter ${kind}`}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-valuetext={`${used} of ${limit}`}
    >
      <rect width={share * 100} height="6" />
    </svg>
  );
}

const NEARLY = 0.75;
const FULL = 1;
