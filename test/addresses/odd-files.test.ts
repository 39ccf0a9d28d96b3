import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listAddressFiles, removeAddressFile } from '../../src/addresses/index.ts';
import { openRegister } from './register-rig.ts';
import { FERNMOOR } from './towns.ts';

let register: Awaited<ReturnType<typeof openRegister>>;
beforeAll(async () => {
  register = await openRegister();
});
afterEach(async () => {
  for (const { name } of await listAddressFiles(register.db)) await removeAddressFile(register.db, name);
});
afterAll(() => register.dispose());

describe('a register that has its points twice', () => {
  const LINDEVAL: typeof FERNMOOR = { name: 'Lindeval', latitude: 45.8, longitude: 4.8, locale: 'fr-FR' };
  const HEAD =
    'id;id_fantoir;numero;rep;nom_voie;code_postal;code_insee;nom_commune;code_insee_ancienne_commune;nom_ancienne_commune;x;y;lon;lat;type_position';
  const rows = [
    '01999_0010_00012;01999_0010;12;;Rue des Saules;01990;01999;Lindeval;;;839700.5;6524100.2;4.801;45.801;entrée',
    '01999_0010_00012_bis;01999_0010;12;bis;Rue des Saules;01990;01999;Lindeval;;;839712.5;6524102.2;4.802;45.802;entrée',
    '01999_0010_00014;01999_0010;14;B;Rue des Saules;01990;01999;Lindeval;;;839720.5;6524104.2;4.803;45.803;entrée',
  ];

  it('is read in degrees, with bis and ter', async () => {
    const report = await register.importText('ban.csv', [HEAD, ...rows].join('\n'));
    expect(report).toMatchObject({ houses: 3, streets: 1, rejected: {} });
    const { find } = await register.placer(LINDEVAL);
    expect(find('12 rue des Saules')).toMatchObject({ latitude: 45.801, longitude: 4.801, precision: 'exact' });
    expect(find('12 bis rue des Saules')).toMatchObject({ latitude: 45.802, longitude: 4.802, precision: 'exact' });
    expect(find('14b rue des Saules')).toMatchObject({ latitude: 45.803, longitude: 4.803, precision: 'exact' });
  });

  it('gives the better name of two, in any order', async () => {
    const properties = { rue: 'Nebenweg', street: 'Elder Lane', nr: '99', number: '12', suffix: '1/2' };
    const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [-120, 45] }, properties };
    await register.importText('twice.geojson', JSON.stringify({ features: [feature] }));
    expect((await register.placer()).find('12 1/2 Elder Lane')).toMatchObject({ latitude: 45, precision: 'exact' });
  });
});
