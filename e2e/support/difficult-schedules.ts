import { workbook } from './workbook.ts'

/** A schedule in a layout that is easily misread, with the decisions of its reader and what the register must contain afterwards. */
export interface DifficultSchedule {
  title: string
  fileName: string
  content: Buffer
  /** The answers to the questions about the file, by the words of the question. */
  answers: readonly { question: RegExp; answer: string }[]
  /** The properties afterwards, by location and building number. */
  register: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** A text that the page must show before the import. */
  shows?: RegExp
}

const lines = (...rows: readonly string[]) => Buffer.from(rows.join('\r\n'))

export const DIFFICULT_SCHEDULES: readonly DifficultSchedule[] = [
  {
    title: 'amounts in thousands, said only in a note above the header',
    fileName: 'thousands.csv',
    content: lines(
      'Harborview Foods - Statement of Values',
      'All values are shown in thousands of US dollars',
      '',
      'Loc,Name,Street,City,State,Zip,Building,Contents,Business Income',
      '1,Cold store,12 Pier Rd,Gloucester,MA,01930,"4,250","1,100",600',
      '2,Cannery,80 Wharf St,New Bedford,MA,02740,"9,800","2,650",1450',
      'Total,,,,,,"14,050","3,750","2,050"',
    ),
    answers: [{ question: /thousands/, answer: 'Yes, × 1,000' }],
    register: {
      '1': { building_value: 4_250_000, contents_value: 1_100_000, bi_value: 600_000 },
      '2': { building_value: 9_800_000, contents_value: 2_650_000, bi_value: 1_450_000 },
    },
  },
  {
    title: 'a row of units below the header',
    fileName: 'units.csv',
    content: lines(
      'Location No.,Site,Street Address,City,ST,ZIP Code,Floor Area,Building RCV,Contents RCV',
      'no.,,,,,,sq ft,USD,USD',
      '10,North mill,5 Canal St,Lowell,MA,01852,"42,000","6,300,000","900,000"',
      '11,South mill,9 Canal St,Lowell,MA,01852,"38,500","5,775,000","750,000"',
    ),
    answers: [],
    register: {
      '10': { floor_area: 42_000, building_value: 6_300_000, contents_value: 900_000 },
      '11': { floor_area: 38_500, building_value: 5_775_000, contents_value: 750_000 },
    },
  },
  {
    title: 'a hidden column of last year next to the values of this year',
    fileName: 'two-years.xlsx',
    content: workbook([
      {
        name: 'SOV',
        rows: [
          ['Loc #', 'Address', 'City', 'State', 'Zip', '2025 Building RCV', '2026 Building RCV', '2026 Contents'],
          [1, '100 Main St', 'Peoria', 'IL', '61602', 3_000_000, 3_210_000, 400_000],
          [2, '214 Oak Ave', 'Decatur', 'IL', '62521', 1_500_000, 'Incl. in Loc 1', 120_000],
          [3, '77 Lake Rd', 'Rockford', 'IL', '61101', 2_200_000, 2_354_000, 260_000],
          [4, '9 Depot Sq', 'Joliet', 'IL', '60432', 1_100_000, 1_177_000, 90_000],
        ],
        hiddenColumns: [6],
      },
    ]),
    answers: [],
    register: {
      '1': { building_value: 3_210_000, contents_value: 400_000 },
      '3': { building_value: 2_354_000, contents_value: 260_000 },
      '4': { building_value: 1_177_000, contents_value: 90_000 },
      '2': { building_value: null, contents_value: 120_000 },
    },
  },
  {
    title: 'city, state and ZIP code in one column',
    fileName: 'city-state-zip.csv',
    content: lines(
      'Location,Street,"City, State Zip",Building Limit,Contents Limit',
      '1,300 Elm St,"Toledo, OH 43604","2,900,000","310,000"',
      '2,18 Vine St,"Cincinnati, OH 45202","4,100,000","520,000"',
      '3,6 Bay Rd,Sandusky OH 44870,"1,250,000","80,000"',
    ),
    answers: [],
    register: {
      '1': { city: 'Toledo', state: 'OH', postal_code: '43604', building_value: 2_900_000 },
      '2': { city: 'Cincinnati', state: 'OH', postal_code: '45202', building_value: 4_100_000 },
      '3': { city: 'Sandusky', state: 'OH', postal_code: '44870', building_value: 1_250_000 },
    },
  },
  {
    title: 'whole addresses in one column',
    fileName: 'whole-addresses.csv',
    content: lines(
      'Site ID,Address,Occupancy,TIV Building,TIV Contents',
      '1,"2100 Market St, Philadelphia, PA 19103",Office,"18,000,000","2,200,000"',
      '2,"15 Chestnut St Suite 4, Lancaster, PA 17602",Office,"2,400,000","300,000"',
      '3,"901 Penn Ave, Pittsburgh, PA 15222",Office,"7,700,000","1,050,000"',
    ),
    answers: [],
    register: {
      '1': { address: '2100 Market St', city: 'Philadelphia', state: 'PA', postal_code: '19103', building_value: 18_000_000 },
      '3': { address: '901 Penn Ave', city: 'Pittsburgh', state: 'PA', postal_code: '15222', building_value: 7_700_000 },
      '2': { city: 'Lancaster', state: 'PA', postal_code: '17602', building_value: 2_400_000 },
    },
  },
  {
    title: 'locations and buildings in one number',
    fileName: 'location-building.csv',
    content: lines(
      'Loc/Bldg,Description,Street,City,State,Zip,Bldg Value,BPP',
      '1.1,Hall A,40 Expo Way,Mesa,AZ,85201,"5,000,000","600,000"',
      '1.2,Hall B,40 Expo Way,Mesa,AZ,85201,"3,500,000","400,000"',
      '1.10,Kiosk,40 Expo Way,Mesa,AZ,85201,"150,000","20,000"',
      '2.1,Office,7 Palm Dr,Tempe,AZ,85281,"1,900,000","250,000"',
    ),
    answers: [],
    register: {
      '1/1': { description: 'Hall A', building_value: 5_000_000 },
      '1/2': { description: 'Hall B', building_value: 3_500_000 },
      '1/10': { description: 'Kiosk', building_value: 150_000 },
      '2/1': { description: 'Office', building_value: 1_900_000 },
    },
  },
  {
    title: 'a French schedule with decimal commas and semicolons',
    fileName: 'etat-des-valeurs.csv',
    content: lines(
      'N° de site;Nom du site;Adresse;Ville;Code postal;Pays;Superficie (m²);Bâtiment (EUR);Contenu (EUR)',
      '1;Entrepôt Nord;12 rue du Port;Lille;59000;France;4 200,5;6 500 000,00;1 200 000,50',
      '2;Usine Sud;8 avenue Foch;Marseille;13001;France;9 100;12 750 000,00;3 300 000,00',
      'Total;;;;;;;19 250 000,00;4 500 000,50',
    ),
    answers: [],
    register: {
      '1': { city: 'Lille', country: 'FR', currency: 'EUR', building_value: 6_500_000, contents_value: 1_200_001 },
      '2': { city: 'Marseille', country: 'FR', currency: 'EUR', building_value: 12_750_000, contents_value: 3_300_000 },
    },
  },
  {
    title: 'optional cells that cannot be read',
    fileName: 'bad-cells.csv',
    content: lines(
      'Loc #,Name,Street,City,State,Zip,# Bldgs,Year Built,Latitude,Longitude,Building Value,Contents Value',
      '1,Depot,1 Rail St,Topeka,KS,66603,0,2091,39.0558,-95.6890,"1,000,000","100,000"',
      '2,Yard,2 Rail St,Topeka,KS,66603,1,c. 1992,390559,-956891,"2,000,000","0.0E0"',
      '3,Shed,3 Rail St,Topeka,KS,66603,2,1988,39.0560,-95.6892,3.5E5,"1.2E4"',
    ),
    answers: [],
    register: {
      '1': { building_value: 1_000_000, contents_value: 100_000, year_built: null },
      '2': { building_value: 2_000_000, contents_value: 0, year_built: 1992 },
      '3': { building_value: 350_000, contents_value: 12_000, year_built: 1988 },
    },
  },
  {
    title: 'one column of values that is only called TIV',
    fileName: 'only-tiv.csv',
    content: lines(
      'Location,Name,Address,City,State,Zip,TIV',
      '1,Tower,55 Peachtree St,Atlanta,GA,30303,"41,000,000"',
      '2,Annex,57 Peachtree St,Atlanta,GA,30303,"6,500,000"',
    ),
    answers: [{ question: /TIV|insured value/, answer: 'Yes, as the building value' }],
    register: { '1': { building_value: 41_000_000 }, '2': { building_value: 6_500_000 } },
  },
  {
    title: 'a summary sheet that refers to the schedule',
    fileName: 'summary-first.xlsx',
    content: workbook([
      {
        name: 'Summary',
        rows: [
          ['Location', 'Address', 'City', 'State', 'Zip', 'Building', 'Contents', 'Year Built', 'Construction', 'Occupancy'],
          [
            { formula: 'Schedule!A2', result: 1 },
            { formula: 'Schedule!B2', result: '4 Water St' },
            { formula: 'Schedule!C2', result: 'Bath' },
            { formula: 'Schedule!D2', result: 'ME' },
            { formula: 'Schedule!E2', result: '04530' },
            { formula: 'Schedule!F2', result: 2_500_000 },
            null,
            null,
            null,
            null,
          ],
        ],
      },
      {
        name: 'Schedule',
        rows: [
          ['Location', 'Address', 'City', 'State', 'Zip', 'Building', 'Contents'],
          [1, '4 Water St', 'Bath', 'ME', '04530', 2_500_000, 300_000],
          [2, '19 Front St', 'Bath', 'ME', '04530', 1_800_000, 150_000],
          [3, '2 Mill Ln', 'Saco', 'ME', '04072', 3_300_000, 410_000],
        ],
      },
    ]),
    answers: [],
    register: {
      '1': { building_value: 2_500_000, contents_value: 300_000 },
      '2': { building_value: 1_800_000, contents_value: 150_000 },
      '3': { building_value: 3_300_000, contents_value: 410_000 },
    },
  },
  {
    title: 'second buildings in merged cells',
    fileName: 'merged-buildings.xlsx',
    content: workbook([
      {
        name: 'Buildings',
        rows: [
          ['Loc', 'Address', 'City', 'State', 'Zip', 'Building Description', 'Building Value', 'Contents Value'],
          [1, '500 Campus Dr', 'Ames', 'IA', '50010', 'Laboratory', 8_000_000, 2_000_000],
          [null, null, null, null, null, 'Greenhouse', 900_000, 50_000],
          [2, '12 Field Rd', 'Nevada', 'IA', '50201', 'Seed store', 1_200_000, 640_000],
        ],
        merged: ['A2:A3', 'B2:B3', 'C2:C3', 'D2:D3', 'E2:E3'],
      },
    ]),
    answers: [],
    register: {
      '1/1': { building_value: 8_000_000, contents_value: 2_000_000 },
      '1/2': { building_value: 900_000, contents_value: 50_000, address: '500 Campus Dr' },
      '2': { building_value: 1_200_000, contents_value: 640_000 },
    },
  },
  {
    title: 'a header that is repeated on each page, subtotals and footnotes',
    fileName: 'printed-pages.csv',
    content: lines(
      'Statement of Values,,,,,,,',
      'Page 1,,,,,,,',
      'Loc No,Name,Address,City,State,Zip,Building,Contents',
      '1,Store 1,10 A St,Boise,ID,83702,"1,400,000","350,000"',
      '2,Store 2,20 B St,Nampa,ID,83651,"1,100,000","280,000"',
      'Subtotal Idaho,,,,,,"2,500,000","630,000"',
      ',,,,,,,',
      'Page 2,,,,,,,',
      'Loc No,Name,Address,City,State,Zip,Building,Contents',
      '3,Store 3,30 C St,Ogden,UT,84401,"1,700,000","400,000"',
      'Subtotal Utah,,,,,,"1,700,000","400,000"',
      'Grand total,,,,,,"4,200,000","1,030,000"',
      '* Values agreed at the 2026 survey,,,,,,,',
    ),
    answers: [],
    register: {
      '1': { building_value: 1_400_000, contents_value: 350_000 },
      '2': { building_value: 1_100_000, contents_value: 280_000 },
      '3': { building_value: 1_700_000, contents_value: 400_000 },
    },
  },
  {
    title: 'a Swiss file in an old Windows encoding with apostrophes in amounts',
    fileName: 'schweiz.csv',
    content: Buffer.from(
      [
        'Standort;Bezeichnung;Strasse;Ort;PLZ;Land;Gebäude (CHF);Inhalt (CHF)',
        "1;Lager Zürich;Hardstrasse 5;Zürich;8004;Schweiz;3'250'000;800'000",
        "2;Werk Köniz;Sägestrasse 71;Köniz;3098;Schweiz;7'100'000;1'900'000",
      ].join('\r\n'),
      'latin1',
    ),
    answers: [],
    register: {
      '1': { city: 'Zürich', country: 'CH', currency: 'CHF', building_value: 3_250_000, contents_value: 800_000 },
      '2': { city: 'Köniz', country: 'CH', currency: 'CHF', building_value: 7_100_000, contents_value: 1_900_000 },
    },
  },
  {
    title: 'a column of money that no field has a place for',
    fileName: 'unmapped-money.csv',
    content: lines(
      'Loc,Name,Address,City,State,Zip,Building,Contents,Zorbex Amount',
      '1,Mart,1 First St,Fargo,ND,58102,"2,000,000","500,000","$125,000"',
      '2,Mart annex,3 First St,Fargo,ND,58102,"1,000,000","200,000","$75,000"',
    ),
    answers: [],
    shows: /“Zorbex Amount”, is not mapped/,
    register: { '1': { building_value: 2_000_000, contents_value: 500_000 }, '2': { building_value: 1_000_000, contents_value: 200_000 } },
  },
  {
    title: 'text exported from Excel as Unicode, with dollars, cents and words in numbers',
    fileName: 'unicode.txt.tsv',
    content: Buffer.from(
      `\ufeff${[
        'Location #\tLocation Name\tAddress\tCity\tState\tZip\tStories\tYear Built\tBuilding $\tContents $',
        '1\tMain plant\t88 Foundry Rd\tAkron\tOH\t44304\tone\t1961 / renov. 2004\t$4,567,890.50\tTBD',
        '2\tTest lab\t90 Foundry Rd\tAkron\tOH\t44304\t2 stories\t1999\t$1,200,000.00\t$345,678.25',
      ].join('\r\n')}`,
      'utf16le',
    ),
    answers: [],
    register: {
      '1': { stories: 1, year_built: 1961, building_value: 4_567_891, contents_value: null },
      '2': { stories: 2, year_built: 1999, building_value: 1_200_000, contents_value: 345_678 },
    },
  },
]
