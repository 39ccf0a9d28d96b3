/** The line that data of OpenStreetMap is shown with: https://www.openstreetmap.org/copyright */
export const OSM_CREDIT = '© OpenStreetMap contributors (ODbL)';
