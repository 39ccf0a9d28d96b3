/** Names of venues by type; all invented. `@ slug` pins one to its neighborhood. */

import type { VenueType } from '../records/index.ts';
import { lines } from './phrase.ts';

export const VENUE_NAMES: Record<VenueType, readonly string[]> = {
  arena: lines(`
    Pilot House Arena @ harborfront
    Grandstand Fieldhouse @ fairgrounds
    Brassline Arena @ meridian
  `),
  stadium: lines(`
    Carousel Park Stadium @ fairgrounds
    Quarryside Stadium @ kestrel-heights
  `),
  theater: lines(`
    Meridian Opera House @ meridian
    The Assize Playhouse @ meridian
    Palace of Shadows @ meridian
    Exchange Street Theatre @ meridian
    The Quarry Amphitheater @ kestrel-heights
    Northlight Bandshell @ northlight
    Collegiate Hall @ lantern-hill
    The Little Almanac @ lantern-hill
    Chandlery Stage @ gaslight-quay
    The Lamplighters’ Guild @ gaslight-quay
    Fishhall Annex @ harborfront
    Kilnyard Black Box @ tannery-row
    Theatre on the Vat @ tannery-row
    Hawthorn Street Players @ sparrow-green
    Sluicegate Comedy Theater @ millrace
    Pippin Youth Theatre @ orchard-park
    The Understudy @ meridian
    Oxbow Puppet Theatre @ tannery-row
  `),
  museum: lines(`
    Port Alder Museum of Art @ meridian
    Museum of the Inland Sea @ harborfront
    Lantern Hill Observatory @ lantern-hill
    The Tannery Museum of Work @ tannery-row
    Orchard Children’s Museum @ orchard-park
    Museum of Small Machines @ millrace
    County Fair Museum @ fairgrounds
    Collegiate Natural History Rooms @ lantern-hill
    House of Printed Things @ gaslight-quay
    Lighthouse Keeper’s Museum @ northlight
  `),
  park: lines(`
    Courthouse Square @ meridian
    Sparrow Green Common @ sparrow-green
    Lighthouse Beach @ northlight
    Dune Meadow @ northlight
    Kestrel Bluffs Preserve @ kestrel-heights
    Limestone Ridge Trailhead @ kestrel-heights
    Pippin Fields @ orchard-park
    Orchard Arboretum @ orchard-park
    Heron Boardwalk @ saltmarsh
    Tideline Reserve @ saltmarsh
    Promenade Gardens @ harborfront
    Blue Ribbon Commons @ fairgrounds
    Towpath Park @ millrace
    Observatory Lawn @ lantern-hill
    Kilnyard Pocket Park @ tannery-row
    Wharf Steps @ gaslight-quay
  `),
  bar: lines(`
    The Tin Heron
    Cask and Candle
    Second Lantern
    The Patient Otter
    Barrelmaker’s Rest @ gaslight-quay
    Nine Knots
    The Crooked Ladder
    Salt & Ledger @ harborfront
    The Dry Dock @ harborfront
    Marigold’s
    The Quiet Anchor
    Vesper Room
    Low Water
    The Copper Wren
    Fogbound
    Handsome Jack Tavern
    The Owl Upstairs @ lantern-hill
    Mercer & Daughter
    The Velvet Pike
    Ember & Rye
    Half Past Nine
    The Green Bicycle @ millrace
    Paddock Tavern @ fairgrounds
    The Loose Shingle @ saltmarsh
  `),
  restaurant: lines(`
    Larder Lane Kitchen @ sparrow-green
    Casa Arándano
    The Long Table
    Sumac
    Little Thimble
    Fishhall Counter @ harborfront
    Nonna Zafferana
    Bowl of the Hill @ lantern-hill
    Juniper & Smoke
    Mesa Tres Hermanas @ orchard-park
    Saffron Courthouse @ meridian
    Plum Street Noodle
    The Root Cellar
    Ashwood Hearth
    Perch
    Tamarind Row @ tannery-row
    Bright Radish
    Pão e Mar @ gaslight-quay
    Lantern Dumpling House @ lantern-hill
    Farmhand @ millrace
    Oyster Ferry @ harborfront
    The Marrow Spoon
  `),
  gallery: lines(`
    Vat Nine @ tannery-row
    Sawtooth Projects @ tannery-row
    Gallery Oxbow @ tannery-row
    Saddler Street Editions @ tannery-row
    The Drying Loft @ tannery-row
    Kilnyard Ceramics @ tannery-row
    Plainsong Gallery
    North Window @ northlight
    Halftone
    Ultramarine Room
    The Frame Yard
    Paper Harbor @ harborfront
    Gallery Almanac @ lantern-hill
    Understory
    Ninth Plate Photography
    Gesso
    Chalk & Sinew
    The Long Wall @ meridian
    Tideglass Studio @ saltmarsh
  `),
  club: lines(`
    The Undertow @ gaslight-quay
    Lampblack @ gaslight-quay
    Chandlery Basement @ gaslight-quay
    Salon Noctua @ gaslight-quay
    Blue Furnace @ gaslight-quay
    Mothlight
    The Signal Box
    Velvet Turbine
    Basso
    Club Meridiana @ meridian
    The Magpie Room
    Static & Honey
    Ballast @ harborfront
    Warehouse Eleven @ harborfront
    The Tape Deck
    Copper Ceiling
    Hush House @ meridian
    Brine
    The Perpetual
    Kiln After Dark @ tannery-row
    The Ha-Ha Cellar @ meridian
  `),
  brewery: lines(`
    Sluice Street Brewing @ millrace
    Wheelwright Ales @ millrace
    Grist & Barm @ millrace
    Towpath Taproom @ millrace
    Millpond Fermentory @ millrace
    Third Gate Brewing @ millrace
    Hidebound Brewing @ tannery-row
    Vat & Vine @ tannery-row
    Russet Cider Works @ orchard-park
    Gull Island Brewing @ saltmarsh
    Beacon Beer Hall @ northlight
    Prize Hog Brewing @ fairgrounds
    Copperfern Brewery @ sparrow-green
    Lakewater Lager House @ harborfront
    Quarryman’s Ale House @ kestrel-heights
  `),
};
