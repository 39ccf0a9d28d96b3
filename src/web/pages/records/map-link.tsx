import { useText } from '../../design/use-language.ts';

/** Nothing is loaded from elsewhere: the map opens when the reader asks for it. */
export function MapLink({ latitude, longitude }: { latitude: number; longitude: number }) {
  const text = useText();
  const place = `mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  return (
    <a href={`https://www.openstreetmap.org/?${place}`} rel="nofollow noopener noreferrer">
      {text('event.openMap')}
    </a>
  );
}
