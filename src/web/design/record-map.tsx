import type { MapRecord, RecordMap } from '../model/map.ts';
import { useText } from './use-language.ts';
import { CityMap } from './city-map.tsx';

interface Props extends Omit<MapRecord, 'latitude' | 'longitude'> {
  /** Null: nothing is shown. */
  map: RecordMap | null;
  /** Of the place. */
  name: string;
}

/** Where one event or venue is: drawn by the server, live when its reader opens it. */
export function RecordMapView({ map, name, ...record }: Props) {
  const text = useText();
  if (!map) return null;
  const { latitude, longitude, preview } = map;
  return (
    <CityMap label={text('map.of', { name })} records={[{ ...record, latitude, longitude }]} preview={preview} isListed={false} />
  );
}
