/** Compared without accents. */
export const FRENCH = `
location_number: numero de site; no de site; code site; numero d emplacement; no d emplacement; emplacement
building_number: numero de batiment; no de batiment; no batiment; batiment no
property_name: designation; nom du site; nom du batiment; nom de l immeuble; nom de l etablissement; nom; etablissement; batiment
legal_entity: assure; proprietaire; societe
address: adresse; adresse du risque; adresse civique; adresse du site; rue
full_address: adresse complete
city: ville; commune; municipalite; localite
city_state_zip: code postal/ville; cp/ville; code postal et ville; npa/localite; npa localite; npa/lieu
county: comte
state: etat; canton
postal_code: code postal; cp; npa
country: pays
construction_class: type de construction; classe de construction; mode de construction
year_built: annee de construction; annee construction; annee
year_upgraded: annee de renovation; derniere renovation
stories: nombre d etages; nb d etages; nb etages; etages; niveaux; nombre de niveaux
building_count: nombre de batiments; nb de batiments
floor_area: superficie; surface; surface de plancher; surface brute; surface totale; superficie totale; superficie de plancher
property_type: occupation; affectation; activite; type d occupation; usage du batiment
tenants: locataire; locataires
sprinklered: gicleurs; protege par gicleurs; sprinkleurs; extinction automatique
building_value: valeur du batiment; somme assuree batiment; somme assuree batiments; valeur batiment; valeur batiments; valeur de l immeuble; batiment; batiments; valeur de reconstruction; cout de reconstruction; valeur a neuf
contents_value: contenu; somme assuree contenu; valeur du contenu; valeur contenu; mobilier
stock_value: stocks; marchandises; valeur des stocks; somme assuree marchandises
machinery_value: machines; equipement; equipements; materiel; valeur des equipements
bi_value: pertes d exploitation; perte d exploitation; somme assuree perte d exploitation; somme assuree pertes d exploitation; interruption d exploitation; interruption des affaires; pertes de revenus; perte de loyers; loyers; revenus locatifs
bi_months: periode d indemnisation; duree d indemnisation; duree de garantie mois
stated_tiv: valeur totale; valeur assuree totale; valeur totale assuree; somme assuree; total assure; capitaux assures; montant total
valuation_date: date d evaluation; date d expertise
currency: devise; monnaie
notes: remarques; commentaires; observations
`

/** Compared without accents. */
export const SPANISH = `
location_number: numero de ubicacion; no de ubicacion; ubicacion; ubicacion no; id ubicacion; codigo de ubicacion; numero de localidad
building_number: numero de edificio; no de edificio; edificio no
property_name: nombre del edificio; nombre del inmueble; nombre de la ubicacion; nombre de la propiedad; nombre; inmueble; edificio
legal_entity: asegurado; propietario; empresa; razon social
address: direccion; direccion del riesgo; calle; calle y numero; domicilio
full_address: direccion completa
city: ciudad; municipio; poblacion; localidad
county: condado
state: estado; provincia; estado/provincia
postal_code: codigo postal
country: pais
latitude: latitud
longitude: longitud
construction_class: tipo constructivo; sistema constructivo; tipo de construccion; clase de construccion; construccion
year_built: ano de construccion; ano construccion; ano
year_upgraded: ano de renovacion; ano de remodelacion
stories: pisos; numero de pisos; no de pisos; niveles; numero de niveles; plantas; numero de plantas
building_count: numero de edificios; no de edificios
floor_area: superficie construida; area construida; area total; metros cuadrados; superficie total
property_type: uso; ocupacion; tipo de ocupacion; giro; actividad; uso del inmueble; uso del edificio
tenants: inquilino; inquilinos; arrendatario
sprinklered: rociadores; rociadores automaticos
building_value: continente; valor del edificio; valor edificio; edificio; edificios; valor de reconstruccion; valor de reposicion; valor del inmueble; valor del continente; valor continente; suma asegurada continente; capital continente; suma asegurada edificio
contents_value: contenidos; contenido; valor de contenidos; valor contenidos; valor de los contenidos; valor del contenido; valor contenido; suma asegurada contenido; suma asegurada contenidos; capital contenido
stock_value: existencias; mercancias; inventario
machinery_value: maquinaria; maquinaria y equipo; equipo
bi_value: perdida de beneficios; lucro cesante; suma asegurada lucro cesante; interrupcion de negocio; perdidas consecuenciales; rentas; perdida de rentas
stated_tiv: valor total; valor total asegurado; valor asegurado total; valor asegurado; suma asegurada; suma asegurada total
valuation_date: fecha de valuacion; fecha de avaluo; fecha de tasacion
currency: moneda; divisa
notes: notas; comentarios; observaciones
`

/** Compared without accents and umlauts. */
export const GERMAN = `
location_number: standort-nr; standortnummer; standort; objekt-nr; objektnummer; lfd nr; nr; risiko-nr
building_number: gebaude-nr; gebaude nr; gebaudenummer; geb-nr; geb nr; geb -nr
property_name: bezeichnung; objektbezeichnung; gebaudebezeichnung; standortname; objekt; gebaude; name
legal_entity: versicherungsnehmer; gesellschaft; eigentumer; firma
address: strasse; straße; anschrift; adresse; strasse und hausnummer; straße und hausnummer; strasse/nr; risikoort
full_address: vollstandige adresse
city: ort; stadt; gemeinde
city_state_zip: plz/ort; plz ort; plz und ort; postleitzahl/ort; plz/stadt; plz/gemeinde
state: bundesland; kanton
postal_code: plz; postleitzahl
country: land; staat
construction_class: bauart; bauweise; bauartklasse
year_built: baujahr
year_upgraded: renovierungsjahr; sanierungsjahr; letzte sanierung
stories: geschosse; anzahl geschosse; stockwerke; anzahl stockwerke; stockwerkzahl; etagen; anzahl etagen
building_count: anzahl gebaude
floor_area: flache; nutzflache; gebaudeflache; bruttogrundflache; bgf; gesamtflache
property_type: nutzung; nutzungsart; betriebsart
tenants: mieter
sprinklered: sprinkler; sprinkleranlage; sprinklerschutz
building_value: gebaude; gebaudewert; gebaude-neuwert; neuwert gebaude; versicherungssumme gebaude; vs gebaude
contents_value: inhalt; inhaltswert; einrichtung; betriebseinrichtung; versicherungssumme inhalt; vs inhalt; bga; fahrhabe; mobiliar
stock_value: vorrate; waren; warenvorrate; waren und vorrate; warenlager
machinery_value: maschinen; technische anlagen; maschinen und anlagen
bi_value: bu; betriebsunterbrechung; betriebsunterbruch; bu-summe; mietausfall; ertragsausfall; versicherungssumme bu; vs bu; versicherungssumme betriebsunterbrechung; versicherungssumme betriebsunterbruch
bi_months: haftzeit; haftzeit monate; haftzeit in monaten; haftzeit m
stated_tiv: gesamt; gesamtwert; gesamtsumme; versicherungssumme; versicherungswert; gesamtversicherungswert; gesamtversicherungssumme; summe
valuation_date: bewertungsdatum; stichtag
currency: wahrung
notes: bemerkungen; bemerkung; anmerkungen; kommentar
`
