import { PROPERTY_FIELDS, PROPERTY_FIELD_NAMES, type PropertyFieldName } from '#contract/property-fields.ts'
import { FRENCH, GERMAN, SPANISH } from './foreign-headers.ts'
import { INSURED, LIMITS, measuresOf } from './value-headers.ts'

/** What a header may mean that is not a field of the property: several fields in one cell, or something that is not imported. */
const OTHER_TARGETS = [
  'full_address',
  'house_number',
  'city_state_zip',
  'location_building',
  'status',
  'divested_on',
  'notes',
  'ignore',
] as const
export type HeaderTarget = PropertyFieldName | (typeof OTHER_TARGETS)[number]

/** The fields that identify a property. */
export const IDENTITY_FIELDS = ['location_number', 'building_number', 'external_id', 'property_name', 'address'] as const

export const isFieldName = (target: string): target is PropertyFieldName => Object.hasOwn(PROPERTY_FIELDS, target)
/** Whether a header names an amount of money. */
export const isMoneyField = (target: string): boolean => isFieldName(target) && PROPERTY_FIELDS[target].kind === 'money'
const isHeaderTarget = (target: string): target is HeaderTarget => isFieldName(target) || OTHER_TARGETS.some((other) => other === target)

/** One line per target, the most likely header first, including the field names of OED, CEDE, RMS and HAZUS (docs/domain.md, "Header synonyms"). */
const TEXT = `
location_number: loc #; loc no; location #; location number; location id; loc id; site #; site no; site id; premises #; prem no; item; item #; item no; property #; property id; property code; asset id; facility id; loc; locnumber; locationid; locnum; unit number; store #; store no; sov line; line #; ref; reference; location code; fltyid; facility number; policyid; policy id; #; site; campus #; campus no
building_number: bldg #; bldg no; bldg; bld #; building #; building no; building id; bldg id; bld no; structure #; sub loc; buildingid; building number; bldg number
external_id: client ref; customer id; parcel; apn; tax id; uprn; asset tag; gl code; cost center; client location id; erp id; client reference
property_name: location name; premises name; premise name; property name; building name; bldg name; facility name; site name; complex; complex/facility; name; asset name; real property asset name; project name; community; locname; locationname; building description; property; description of location; dba; building; location
location_group: parish name; campus; installation name; site group; location group; locgroup; complex name; site; park; center name; portfolio site
status: status; building status; active/inactive; location status; disposition status; property status; asset status; site status; store status; record status; operating status; insured; insured y/n; insured yes/no; covered; covered y/n; included; included y/n; in program; active; active y/n; sold; sold y/n; closed; closed y/n; divested; disposed; inactive; excluded; deleted
legal_entity: named insured; insured; entity; business entity; legal entity; owner; owner name; ownership entity; company; account name; insured name
division: division; dept; department; region; business unit; portfolio; segment; district; group; cost centre; operating company
description: description; bldg description; property description; building desc; use description; remarks on building
interest: owned / leased; owned or leased; own/lease; owned/leased; o/l; tenure; ownership; interest; lease status; lessor/lessee; owner occupied; istenant; own or lease; owned or rented; own/lse; own / rent
address: address; street address; street; address 1; address line 1; addr; addr1; property address; location address; site address; physical address; risk address; premises address; situs address; street name; building address; streetaddress; address1; facility address; street; address 1 street
full_address: full address; complete address; address (full); address, city, state, zip; location (address); mailing/physical address
city_state_zip: city, state zip; city, state, zip; city/state/zip; city, st zip; city state; city/state; city, st; csz; city/st/zip
location_building: loc/bldg; loc/bldg #; loc-bldg; loc bldg; loc & bldg; loc bldg #; location/building; prem/bldg; premises/building; loc./bldg.
address_2: address 2; address line 2; suite; unit; ste; floor/suite; addr2; apt; unit number; suite number; building/suite
city: city; town; municipality; city/town; location city; property city; city name; post town; locality; risk city; village; city or town; suburb; suburb/town; town/suburb; city/suburb
county: county; county name; parish; cnty; county/parish; admin2; county code; borough; county or parish; jurisdiction (county); location county
state: state; st; st.; state code; state/province; prov; province; state/prov; region code; areacode; area; property state; location state; admin1; statecode; prefecture
postal_code: zip; zip code; zipcode; zip+4; postal; postal code; postcode; post code; zip/postal; postalcode; property zip; location zip; zip cd; pin code
country: country; country code; ctry; cntry; country name; countrycode; countryiso; nation; iso country; location country; country (iso2)
latitude: lat; latitude; lat.; y; y coord; gps lat; latitude (dd); geo lat; lat_dd; latitude (n); gps latitude; geocode lat; point latitude
longitude: long; lon; lng; longitude; long.; x; x coord; gps long; longitude (dd); longitude (w); gps longitude; geocode long; point longitude
geocode_level: geocode level; match level; geo resolution; addressmatch; geocode quality level; usergeocodematchlevel; accuracy
construction_class: construction; construction type; const; const type; iso const; iso construction; iso const. class; construction class; iso class; const class; construction code; bldg construction; building construction; type of construction; construction description; const desc; cnst; rms construction; air construction; constructioncode; iso; frame/masonry
year_built: year built; yr built; year blt; yr blt; yr. built; built; year constructed; construction year; construction yr; construction date; yrblt; date built; year of construction; original year built; age (year); yearbuilt; year; yb; year const; actual year built; act year built; act yr built; year built actual
year_upgraded: year renovated; renovation year; renovation date; date of last renovation; date renovated; date remodeled; date upgraded; year upgraded; year updated; last renovation; reconstruction date; yearupgraded; effective year; eff year; eff yr; effective year built; eff year built; eff yr built; effective yr built; year built effective; remodel year; year of last update; major renovation year; year reno; year renov; reno year; renov year; year upd; year upgr
stories: # stories; # of stories; no. of stories; number of stories; stories; storeys; no. floors; # floors; floors; #floor; num stories; numstories; stories above grade; height (stories); numberofstoreys; numberofstories; no of floors; numberoffloors
basement_levels: basement; basement yes/no; # basements; basement levels; below grade levels; basementlevelcount; bsmt; bsmt levels
building_count: # of buildings; no. of bldgs; # bldgs; number of buildings; bldg count; riskcount; numberofbuildings; numbldgs; units (buildings); building count; no of buildings
floor_area: square footage; sq ft; sq. ft.; sqft; sf; square feet; total sq ft; gross sq ft; gsf; gross area; building area; bldg area; total area; area (sf); floor area; gross bldg area; building rentable square feet; rentable sf; gla; area; floorarea; grossarea; total sf; gfa; gross floor area; gia; gross internal area; nla; net lettable area; sq footage; sq ftg
percent_occupied: % occupied; occupancy %; percent occupied; occupied %; leased %; vacancy %
wiring_year: wiring updates; electrical update; year wiring; electrical year
plumbing_year: plumbing updates; plumbing year; year plumbing
hvac_year: hvac updates; heating update; year hvac; hvac year
property_type: occupancy; occupancy type; occupancy description; insured occupancy; occ; occ desc; use; building use; property use; primary use; usage; occupancy class; type of occupancy; property type; asset type; primary occupancy; rms occupancy; air occupancy; occupancycode; occtype; bldg use; operations; real property asset type
tenants: tenant; tenants; major tenant; occupant; lessee
units: units; # units; no. of units; rooms; beds; keys; doors
sprinklered: sprinklered; sprinkler; sprinklers; sprinklered (y/n); fire sprinklers; fire sprinklers (y/n); sprk; auto sprinklers; as; sprinkler y/n; sprinkler system; fully sprinklered; sprinklered yes/no; sprinkler yes/no; sprinklers yes/no; sprinklers y/n
percent_sprinklered: % sprinklered; % sprink; %sprink; sprinkler %; pct sprinklered; percent sprinklered; sprinkler coverage; percentsprinklered; sprinkler percent; sprinklered %; percentage sprinklered
fire_alarm: alarm; fire alarm; alarm type; smoke detection; central station; fire alarm (y/n)
burglar_alarm: burglar alarm; intrusion alarm; security alarm; security
protection_class: protection class; prot class; prot cl; ppc; public protection class; fire class; pc; fire protection class; ppc code; iso protection class; town class; prot cls
hydrant_distance_ft: distance to hydrant; hydrant; hydrant distance; dist to hydrant (ft)
fire_station_miles: distance to fire station; fire station; miles to fire dept; fire dept distance
roof_year: roof year; roof age; yr roof; roof updates; roof update; year roof replaced; roof replaced; roofyearbuilt; roof yr; age of roof
roof_cover: roof cover; roof type; roof covering; roof material; roof construction; roof system; roof; roofcover; roof surface; type of roof
roof_shape: roof shape; roof geometry; roof pitch; roofgeometry; roof style
opening_protection: window protection; opening protection; shutters; windowprotection; impact glass
foundation: foundation; foundation type; found_type; foundationtype; fndn
flood_zone: flood zone; fema flood zone; fema zone; flood; flood zone determination; firm zone; nfip zone; sfha; floodzone; fema; flood hazard zone
first_floor_height_ft: first floor height; firstfloorht; ffh; first floor elevation; firstfloorheight; lowest floor elevation
distance_to_coast_miles: distance to coast; dtc; miles to coast; distance to water; dist to coast
wind_tier: wind tier; tier; wind zone; hurricane tier; tier 1; coastal zone
eq_zone: eq zone; earthquake zone; seismic zone; eq
building_value: building; buildings; bldg; building declared value; buildings declared value; declared value building; building value; building values; bldg value; bldg val; building limit; building rcv; building replacement cost; bldg repl cost new; replacement cost; replacement value; rcv; rcn; real property; real property value; structure value; building coverage; coverage a; cov a; building sum insured; bldg tiv; building tiv; buildingtiv; buildingvalue; eqcv1val; cost; replacement cost new; reproduction cost new; cost of reproduction new; insured value building; dwelling value; reconstruction cost; property damage; property damage value; property damage values; pd; pd value; pd values; material damage
other_value: other; other value; other structures; appurtenant; outdoor property; site improvements; site improvement; site impr; site imp; land improvements; fences and signs; coverage b; othertiv; othervalue; misc property
contents_value: contents; cont; contents declared value; cont value; contents value; contents / bpp; bpp; bpp value; bpp limit; business personal property; personal property; contents limit; contents tiv; contentstiv; contentsvalue; contentcost; contents rcv; contents replacement cost; ff&e; ffe; ff&e / equipment; cv2val; furniture fixtures; furniture & fixtures; coverage c; cov c; contents and equipment
stock_value: stock; inventory; inventory value; stock value; inventory at cost; inventory @ cost; inv at cost; inv @ cost; merchandise; finished goods; raw materials
machinery_value: machinery & equipment; m&e; machinery & equipment values; equipment; machinery; plant and machinery; mobile equipment on premises
edp_value: edp; computers; computer equipment; electronic data processing; computer/ fixture/ office equipment; it equipment
improvements_value: improvements & betterments; tenant improvements; ti&b; tib; ti; lhi; betterments; leasehold improvements; i&b
bi_value: bi; gr; gross rentals; gross rental; gross rents; loss of rent; business income; business interruption; bi value; bi/ee; bi & ee; business income w/ ee; bi limit; time element; loss of income; rents; rental income; rental value; loss of rents; bi / rents; gross earnings; annual rents; rent income; bitiv; timeelementvalue; coverage d; bi gross earnings; business income w/ extra expense; business income with extra expense; extra expense; extra expenses; extra exp; ee value; cv3val; net income; bi net income; continuing expenses; bi continuing expenses; cont exp; bi cont exp; ordinary payroll
bi_months: indemnity period; indemnity period m; max indemnity period m; maximum indemnity period m; bi months; period of indemnity; bi period; dayscovered; bipoi; indemnity months; lor months; lor period; loss of rent months; loss of rent period; max indemnity period; maximum indemnity period; mip
stated_tiv: tiv; total insured value; total insurable value; total value; total values; total; total tiv; total stated values; grand total; total insured; total limit; sum insured; combined value; total property value; 100% tiv; insurable value; insurable values; insured value; insured values; total insurable; total sum insured; total sums insured; sums insured; sum assured; tsi; amount of insurance; insurance value; total insurance; total amount of insurance; declared value; declared values; total declared value; total declared values; reported value; reported values; total reported values; coverage; coverage value; total coverage; total coverage value; value; values; property value; property values; total property values
valuation_basis: valuation; valuation basis; basis; rc/acv; rcv/acv; loss settlement; payoutbasis
valuation_date: valuation date; values as of; appraisal date; date of valuation; as of; last appraisal; date of appraisal; valuation year; year of valuation; date of values; value date
currency: currency; ccy; curr; currency code; loccurrency; currency type
divested_on: date sold; sold; sold date; date closed; date disposed; disposition date; date deleted; closing date; date dropped; datedropped; termination date
notes: comments; notes; remarks; remark; comment; memo; memos; special notes; insured comments; insured notes; insured remarks
ignore: last update dt; last update date; last updated; last updated on; last modified; last modified date; date modified; modified on; record date; date updated; updated on; update date; date created; created on; date entered; % change; % chg; increase; 2024 - increase 10%; prior value; expiring value; premium; rate; limit; deductible; congressional district; survey report; effective; effective date; eff date; policy effective; expiration date; change; changes; update; updates; disposition; transaction; transaction type; trans type; add/delete; add/del; adds/deletes; add/chg/del; add/change/delete
`

/** Flags of what is no longer owned or insured. Their words alone say nothing, so they are compared as a whole. */
const FLAGS =
  'status: active yes/no; is active; active flag; active indicator; active ind; active status; status cd; status code; status flag; status a/i; a/i; act/inact; inactive y/n; inactive flag; is inactive; disposed y/n; insured status; action; action code; change type; type of change; transaction type; add/change/delete; add/delete/change'

/** Amounts of no thing in particular. Others, such as the amount of a deductible, are none of their kind. */
const AMOUNTS =
  'stated_tiv: montant; montants; montant assure; montants assures; montant d assurance; capital assure; valeur assuree; valeurs assurees; limite d assurance; monto; montos; monto asegurado; importe; importe asegurado; capital asegurado; capitales asegurados; valores asegurados; limite asegurado'

/** Compared as a whole, since a street or a house alone is an address. */
const HOUSE_NUMBERS =
  'house_number: house number; house num; house no; street number; street num; street no; st no; st num; str no; civic number; civic no; civic address number; numero civique; no civique; n civique; ' +
  'numero de rue; no de rue; numero de voirie; no de voirie; hausnummer; hausnr; haus-nr; haus nr; hnr; h-nr; huisnummer; huisnr; numero exterior; no exterior; num exterior'

/** What the product computes, as its exports name it. */
const COMPUTED =
  'ignore: tiv (calculated); calculated tiv; quality score; data quality; discrepancies; open discrepancies; documents; divested on; divested reason'

interface Synonym {
  target: HeaderTarget
  header: string
  /** Compared as a whole only. */
  isWhole: boolean
}

const synonymsIn = (text: string, isWhole: boolean): Synonym[] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [target = '', headers = ''] = line.split(': ')
      return isHeaderTarget(target) ? headers.split('; ').map((header) => ({ target, header, isWhole })) : []
    })

const headersIn = (text: string): string[] => synonymsIn(text, false).map(({ header }) => header)
export const ENGLISH_HEADERS = headersIn(TEXT)
export const COMPUTED_HEADERS = headersIn(COMPUTED)
/** By language. */
export const FOREIGN_HEADERS = { French: headersIn(FRENCH), Spanish: headersIn(SPANISH), German: headersIn(GERMAN) }

const insured = synonymsIn(INSURED, true)

/** The headers that people write for each target. Those of values are also made of what is insured and a measure, in any order. */
export const HEADER_SYNONYMS: readonly Synonym[] = [
  ...[TEXT, FRENCH, SPANISH, GERMAN].flatMap((text) => synonymsIn(text, false)),
  ...synonymsIn(LIMITS, true),
  ...synonymsIn(FLAGS, true),
  ...synonymsIn(AMOUNTS, true),
  ...synonymsIn(HOUSE_NUMBERS, true),
  ...synonymsIn(COMPUTED, true),
  // Exports and forms name a field by its label.
  ...PROPERTY_FIELD_NAMES.map((target) => ({ target, header: PROPERTY_FIELDS[target].label, isWhole: true })),
  ...insured,
  ...insured.flatMap(({ target, header, isWhole }) =>
    measuresOf(target, header).map((measure) => ({ target, header: `${header} ${measure}`, isWhole })),
  ),
]
