// Written by `Scripts/public-suffix-table`; not to be edited.
// prose: table
//
// Source: the Public Suffix List (https://publicsuffix.org/list/) of 2026-08-19, its ICANN and its
// private section: 10248 rules.
// Commit e8c9a2b2b2856b6449999dd0ec0d118f364ed0cd of https://github.com/publicsuffix/list;
// SHA-256 of the sorted rules: 63530d82d234c7f6bc5f1695aca51c81366f4219a910b5f4e3615a037cd10200.
//
// This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy
// of the MPL was not distributed with this file, You can obtain one at
// https://mozilla.org/MPL/2.0/. The licence concerns this file only.

/// The rules of the Public Suffix List, packed: see ``PublicSuffixList``.
enum PublicSuffixTable {
    static let date = "2026-08-19"

    /// The strings that stand for `#`, `$`, `%` and so on: see ``PackedRules``.
    static let abbreviations = """
        ualstack.s3 -accesspoint DnetDorg ud9.webview-ass ra st DeduDgo er -prodZ F.ccGk12Glib 3-ob\
        ject-lambda notebook website in t'nsf,-webapp an cloud shi ma -1. en or ka xecute-api mr(ud\
        io/ em'ppui/ airflow* ws-clo&ets lambda-url -fipsZ C.com spreadshop ea(- ¢mr<s/¡~Ys3Z3$Z -c\
        {t'l south ¤Y[9.vfsZlo&ets us,cont{t tirol lytics-gatewayZ tsu gawa Dmil chi (udio emr<s/ Z\
        t-2. C.ac bizDco Dgov auth DnameEetD|g dns Z#$¦#¦#-=Yª3$¦3 ya^ Dnet ¢·e¡e~Zs3Zs3$Zs dal Zt-\
        3. we(` we(-1 label>g barsy Dedu n|th C.coFm Dco ami -deprecatedZ tion d#-=Z [9.vfs D|gD <Z\
        otebook-fips §)v }wa web site ea(` aki ¤ZÑZclo&etsZd#Z s3-= giulia D>fo ®Yd#Z#$ ¡1.e~Z1.s3Z\
        1.s3 s,v barletta C.123 -©1 app vuotna d#$Z £R¥R? Ð1.¢1.·1.eß$Z1. xn-- ita Dsch awa F.gsE `\
        Ð`¢`·`e¡`e~Z` -(ag>g ice ho(>g adige ess shop oto fj|d ect be² ata Eom C.a pro pages ¬-1 «-\
        1
        """

    static let rules = """
        aaaCrpBbbDottDvieCcCleCogadoCudhabiBc§DdrrÉDfeedbackE|ms»´%ëCademyH.officialCc{tureDount@tK\
        sCoCt|BdCsCultBe¹ ae.co»´%ëCgCroE.accid{t->ve(igaÏOprev{ÏG,obaticJclubJdromeGg{tsGir-survei\
        ll@ceJt'ffic-controlIc'ftIl>eIp|tIt'fficGmbul@ceGssociaÏGuth|Fballoon>gGrok,FcaaHrgoHt,>gG,\
        tificaÏGhampion]pIrt,GivilaviaÏ aero.clubGonf,{ceIsult@tM>gItrolHuncilGrewFdesignGgcaFeduca\
        t|Gm,g{cyGng>eL,Ht,ta>m{tGquipm{tGxch@geHpróFfede'ÏGlightGreightGuelFglid>gGov,nm{tGroundh@\
        dl>gJpFh@gglid>gGomebuiltF>su'nceFjournalMi(Fleas>gGogi(ics aero.magazineH>t{@ceHrketplaceG\
        ediaGicrolightGodell>gFnavigaÏFpa'chut>gJglid>gHss{g,-associaÏGilotGróHoducÏFrecreaÏHpbodyH\
        sIearchGot|c'ftFsafetyGci{ti(G,vðsGhowGkydiv>gGoftwareGtud{tFtaxiG'd,J>gI>,FunionFw|k>ggrou\
        pJs aetnaBfÔ%ClCricaBgËÁúDobjErgCakh@C{cyBi§Df'm,DkiloäsÁDoffErgDuwuCgCrbusDf|ceDtelBkdnBl \
        al.com)v´%CibabaDpayClf>@zD(ateDyCsaceDtomBmËGmune%D'dioCazonC,ic@expróIfÍlyDxCfamCicaC(,da\
        mBnalyticsCdroidCqu@CzBo ao.coDedFu»EvDitDogErgDpbClBpartm{tsCpD.aiv{Ebase44Feget*FotdashF'\
        veJ.s*EclaudeG,kJ(ageGoudflareFodep{GnvexGrespeedFsbH.previewEdevelop,*Ee2bFasyp@elFdgecomp\
        uteFncr app.encr.frontendFv,vault.relayFxpoI.onJ(ag>gQ.onEflutt,flowF'm,EgadgetFithubEhackc\
        lubGsu'Fo(ed*EleapcellFog>l>eGvableFuy@iE^gicpatt,nsFedusajsGss,liFir{FochaEnetlifyFgrokJ-f\
        reeFoopGrthfl@k*FyatEon-fleekGdigêloce@Gh,culesEpplx app.puterE'ilway.upFeplitK.idFun*H.mtl\
        s*E]ptodayFnowflake*N.privatel>k*FpawnbaseGritesFtreamlitEtelebitFypedreamEupsun*Ev,celEwal\
        Gsm,FebF>dsurfFnextEzeaburGrops*DleF.>tJ.[*P.r*R.ap-Ê-1*Vþ*Zh-2*Seuÿ*VÊ-1* apple.int.cloud.\
        r.us-central-1*Z'l-2*V©1*Z-2*VÆ*Z-2*Z-3*BqCuarelleBrC.betÌmFop)bFvD>t´EusicaFtual%DsegFnasa\
        DturCabDmcoCµCmyCpaE.e164Fhome arpa.in-addrGp6GrisFuriHnCtDeBsC.govCdaCiaE.[nsFdaemonGixCso\
        ciatesBtâÖseiteFhpD2ixD4Eli^DacF.(hÌD¾homeDfunkfeu,.wi{Fturecms*M.ex*N>*JñJ^il>gDgv at.lima\
        -cityDmyF¨D|Fts>fo.ex*Mkund{*DprivChletaCt|neyBu¹tEsnÌmG.[lets.melHmy¨FnfÉG.actHcatholicHns\
        wItHqldHsaHtasHvicHwa»G.qldHsaHtasHvicHwa au.idÁEswEtD|gEzDqldDsaDtasDvicDwaCcÏCdiEbleEoCsp\
        o(Cth|DoEsBw§CsD.on.af-¬`£S¥S?Ip-ØçKÊØ£W¥W?U2.£ aws.on.ap-northeast-2.lambda-urlW?U3.£W¥W?K\
        ¬`£S¥S?Q2.£S?PØ£W¥W?U2.£W¥W?U3.£W¥W?U4.£W?U5.£W?U7.?Hca«`£U¥U?KÅ£R?Heu«`£U¥U? aws.on.eu-cen\
        tral-2.airflow*U?KÊ`£S¥S?K¬`£S¥S?Q2.£S?KÅçP2.çP3.çHil«`£U?Hme«`£U?K¬`£S¥S?Ix«`?Hsa-ØçHus-Ø£\
        R¥ aws.on.us-east-1.transfer-webappP2.çKgov-Ø?Zsf,-Öä-fipsOÅ?Zsf,-Öä-fipsKÅçP2.çErepo(.priv\
        ate*Esage^k,.af-¬`<Z¶Pp-Ø<Y¶RÊØÇZt`<Zt`¶¸Ç¸<¸¶Ä<Ä¶R¬`ÇZ<Z¶X2.<WØÇ aws.sagemaker.ap-southeas\
        t-1.notebookZt`¶¸Ç¸<¸¶Ä<Ä¶Zt-4.<Oca«`ÇZ1.<Z1.<¦1.¶RÅÓOeu«`ÇZ1.<Z1.¶Z2.<Z2.¶RÊ`<Z¶R¬`<Z¶X2.<\
        Z¶RÅÇY<Y¶W2.ÇY<Y¶W3.< aws.sagemaker.eu-west-3.studioPxp,im{ts*Oil«`<Z1.¶Ome«`<Z1.¶R¬`<Z¶Osa\
        -Ø<Y¶Ous-ØÇYÓY¶W2.ÇYÓY¶Rgov-Ø<Z`<¦`¶Z`¶-fipsVÅ<Z`<¦`¶Z`¶-fipsRÅÓY¶W2.ÇYÓ aws.sagemaker.us-w\
        est-2.studioBxCaBzC.ºFm)vÝFt´½DppEroCureAbaC.br{dly.ôÌm)v´%DrsCbyCiduCnamexDdDk barD.resolv\
        eDcelonaElaycardHsDefootDga>sCseballDketballK.ausLnzCuhausCy,nBbC.ºFm)vÝ%D(|eDtvCcCtCvaBcgC\
        nBd¹Ei bd.coFm)vDidEnfoEt´%ëDtvBeâ=DacD[nsD>t,ho(soluÏs.[Dkuleuv{.ezüxyDmyF¨Dt'nsurl*DÖñCat\
        sDutyC,Crl>G.d¾C(EbuyCtBfC.gov bgC.0D1D2D3D4D5D6D7D8D9DaDbEarsyDcDdDeDfDgDhDiDjDkDlDmDnDoDp\
        DqDrDsDt bg.uDvDwDxDyDzBhÔ%CartiBiËÉD|FgCbleCdCkeCngEoCoCzD.activet'ilE[-ipJnsEds[Fyn¾Ef|-b\
        ett, biz.for-moreIsomeItheEjoziEm^f@FyftpEno-ipE|xEselfipEÖhopBjûfricaEgroErµt÷esEssurEvoca\
        tsÌFmDecoGnoEduÝDloisirsDmoney%EteDre(au'ntHoDtourismDunivBlack blackfridayCockbu(,DgDomb,g\
        CueBmÔ%CsCwBnË)v%CpparibasBo¹ademiaEgroErteDblogEoliviaDci{ciaúFope'tivaDdemoc'ciaFp|te bo.\
        ecologiaGnomiaEduEmpresaDgobD>dig{aGu(riaFfoFtDmedic>aEilEovimi{toEusicaDnatu'lEetúbreFtici\
        asÒpatriaElur>acionalEoliticaErofesionalEuebloDrevi(aDsaludDtecnologiaEksatE'nsp|teEvDÖEiki\
        Cats boehringerCfaCmCndCoDkE>gCschDtikEonCtCutiqueCxBrC.9guacuDabcEdmFvEgrEjuEmEn@iEparecid\
        aFiFpErqFtEtoDbEaru,iEelemFt br.bhzEibFoElogEmdEoavi(aEsbDcamp>ag'ndeKsFxiasEimEngFtúG.simp\
        le×FntagemFopFzEriEuiabaFritibaDdefFsFtFvDecnFoEduEmpEnfFgEsp br.etcFiDfarEei'ElogGripaEmEn\
        dE|talFtFzE(Dg12EeoEgfEoi@iaFvG.acIlImIpHbaHceHdfHesHgoH^IgIsItHpaIb br.gov.peIiIrHrjInIoIr\
        IsHscIeIpHtoEruDiaEmbEndFfDjabFmpaEdfEo>villeFrEusDlegG.acIlImIpHbaHceHdfHes br.leg.goH^IgI\
        sItHpaIbIeIiIrHrjInIoIrIsHscIeIpHtoFilaoFlEogFndr>aD^capaGeioFnausFr>gaFtEedEilE|{aEp br.mu\
        sDnùlEetEit,oiú*FtEtrDodoEngErgEsascoDpal^sEoaEpgEroEscFiEvhDqslD'dioEecGifeFpEibei'oFoGb'n\
        coGpretoDsalvad|FmpaFnta^riaHo@dreFob,nardo br.saogoncaEegEjcElgFzEocialFrocabaErvDtaxiEcFh\
        eEecFoEheEmpErdEurEvDudiDvetEixElogDwikiDxyzDzlgCadescoCidge(oneCoadwayDk,Dth,CusselsBs bs.\
        com)v%DweBtÔ%BuildF.]ptodayGv0Gw>dsurfF,sI.[×Cs>óI.coCyCzzBvBw¹Ì»%By§» by.mediatechEilDofBz\
        Ë)vEsjDmy¾%DzaChAcaûbEwdev*DÈEcEoxÌDgcDmbEy¨DnbEfElEo-ipEsEtEuDon ca.onidDpeDqcDskDykCbCfeC\
        lDlDv>kle>CmDe'DpE.emf.atCnonCpetownDêlHoneCrDav@DdsDeE,GsDsCsaE.nabu.uiDeE.savDhD>oCt cate\
        ringDholicBbaCnCreBcC.ccwuEleve'ppsFoud-ipInsEsxDecEuDf@tasyleagueEtpaccóDgame-à,EuDmyphõsD\
        sc'pp>gEpawn.>(@cesEryzeDtw^ilDukEsBdC.cc»B{t,CoCrnBfCa cfdBgBhâ=FhpD2ixD4li^D[nsIscale.cu(\
        Olpg.obj÷sOr^.obj÷sD¾k>gDfir{et*K.svc*Elow.ae.alp1Jpp{g>eDgot¾Dli^-cityFnkyard-[Dmy¨Dobj÷(o\
        'ge.lpgRr^Dsquare7C@elEnelDrityDseDtCeapC>taiCri(^sDome churchBi¹EssoÌFmDedFuDgoFuvD>tÁD|Fg\
        DusDéarop|t-byaCpri@iCrcleCscoCtadelDiEcDyBk*C.www!BlC.[nsEoDgobFv´Caims cleaningCickDnicFq\
        ueCoth>gDudF.@tagoni(Hxarnet.es-1Gbegetcdn*GconvexM.eu-ÆNusãGdiademHnshomeGelem{t|Hm,g{tHnc\
        oway.euGh(grGjela(ic.vipJeInv-aruba.aruba.eur.it1Rit1HoteKluluGk2.ela(icJru-msk.lbQs3Q=Mspb\
        .lbQs3Q=Js3 cloud.k2.websiteHeliÖN.csHuleuv{Gla'velH>kyardG^g{to×*ItlabGobàablehqHn-'nch,*I\
        l>e-à,I(ackit.runsHxaJ.tnKukGp,sp÷aHrimetelO.ukG'v{dbHeclaim.caOukPsGscw.baremetal.fr-par-1\
        Zr-2Unl-ams-1Kfr-par.cockpitRddlStwhRfncU.funcÏsRifrRk8s cloud.scw.fr-par.k8s.nodesSafkRmgd\
        bRrdbRs3T-=ScblRwhmK>(@ces.privVubKk8sKnl-ams.cockpitRddlStwhRifrRk8sU.nodesSafkRmgdbRrdbRs\
        3T-=ScblRwhmKpl-waw.cockpitRddlStwhRifrRk8sU.nodesSafkRmgdb cloud.scw.pl-waw.rdbRs3T-=ScblK\
        scalebookL^rtÇH,veboltHtatics*Gt'fficplexI{dñ.chTdeGunison-àðsHrownGvap|Ho|lop,GzapCubE.ÈF[\
        nsFjeleEmedBmË»ÁBn¹EhDbjDc@va-äsI×.my cn.comG.a^zonaws.airflow.cn-Ê-1*Zcn-ÊÆ*Rcn-Ê`d#Z`æîrd\
        s*Z`s3Z`s3$Z`s3Î`s;Z`ÛZÅd#ZÅæÅ¢Å·Åe¡Åe~ZÅrds*ZÅs3ZÅs3$ZÅs;ZÅÛSompute*Reb.cn-Ê-1ZrthÆSlb*NÖà\
        ðs.on.cn-Ê`£ cn.com.amazonwebservices.on.cn-north-1.transfer-webappZon.cn-ÊÅ£Zon.cn-ÊÅ?Hsag\
        e^k,.cn-Ê`<Z`¶ZÅ<ZÅ¶EqÉDfjDgdEovEsExEzDhaEbEeEiEkElEnDjlEsExDkhsjDln´EoEyqnap[ÁEm cn.nxÒqhE\
        uickconn÷.dir÷DscEdEhF.asEnExDtjEwDxjEn--55qx5dHio0a7iHod0algEzDynDzjBoC.carrdúErdÉDfirewal\
        ledreplitT.id»Dhi¾DleadýEý´Eypi co.netúD|gEtap*Drdpa.clu(,s*Isrvrló*EeplH.idDsupabaseL.real\
        timeM(o'geDumsoDxmit*CachCdesF.owo*CffeeCllegeDogneCmD.0emm*E180rFcool¾F}ppE3utilitiesE4uEa\
        2ho(edFbr¾Fdobeaem[R.dev*FfricaFiv{[* com.aliases121Hbaba[csGpha-myqnap[F^zonaws.af-¬`aÚæÐÂ\
        ;ZÛPirflow.af-þ*Xpã*ZÊ©1*ZÊ©2*ZÊ©3*Zþ*Z¬-2*Z¬©1*Z¬©2*Z¬©3*Z¬©4*Z¬©5*Z¬©7*Wcaÿ*ZÆ* com.amazo\
        naws.airflow.eu-central-1*Zc{t'l-2*ZÊ-1*Zþ*Z¬-2*ZÆ*Zwe(-2*Zwe(-3*Wilÿ*Wmeÿ*Zþ*Wsaã*Wusã*Z©2\
        *ZÆ*Zwe(-2*Pp-ØaÞYª;Z3-=RÊØ@a±t`a¤Zt`Ñ com.amazonaws.ap-northeast-1.cloud9.webview-assetsZt\
        `d#Zt`æt`Ðt`¢t`·t`e¡t`e~Zt`s3Zt`s3$Zt`s;Zt`Û¸@a±t-2.a¤¸Ñ¸clo&ets¸d#¸d#$¸d#-=¸¢t-2.·t-2.e¡t-\
        2.e~¸s3¸s3$¸s;¸ÛÄa¤ÄÑÄclo&etsÄd#Äd#$ com.amazonaws.ap-northeast-3.dualstack.s3-websiteÄ¢t-3\
        .·t-3.e¡t-3.e~Äs3Äs3$Äs;ÄÛR¬`@a±aÚæÐÂ;ZÛX2.d#ZæÐ¢·e¡e~Zs3 com.amazonaws.ap-south-2.s3-acces\
        spointZs;ZÛWØ@a±t`a¤Zt`ÑZt`clo&etsZt`d#Zt`æt`Ðt`¢t`·t`e¡t`e~Zt`s3Zt`s3$Zt`s;Zt`Û¸@a±t-2.a¤¸\
        Ñ¸clo&ets¸d#¸d#$¸d#-=¸¢t-2.·t-2.e¡t-2.e~¸s3¸s3$¸s; com.amazonaws.ap-southeast-2.s3-websiteÄ\
        d#Äd#$Äd#-=Ä¢t-3.·t-3.e¡t-3.e~Äs3Äs3$Äs;ÄÛZt-4.d#Zt-4.æt-4.Ðt-4.¢t-4.·t-4.e¡t-4.e~Zt-4.s3Zt\
        -4.s3$Zt-4.s;Zt-4.ÛZt-5.d#Zt-5.æt-5.Ðt-5.e~Zt-5.s3Zt-5.s3$Zt-5.s3Ît-5.s;Zt-5.Û com.amazonaw\
        s.ca-central-1.aws-cloud9.webview-assetsZ1.ÑZ1.clo&etsZ1.d#Z1.æ1.d#$¦1.d#¦1.ès3$¦1.s3¦1.s;Z\
        1.ÛRÅd#Z#$¿¦; com.amazonaws.ca-west-1.s3-websitePompute*V-1*Oelb*Pu«`@a±1.a¤Z1.ÑZ1.clo&etsZ\
        1.d#Z1.æ1.ès;Z1.ÛZ2.d#Z2.æ2.Ð2.¢2.·2.e¡2.e~Z2.s3Z2.s3$Z2.s;Z2.ÛRÊ`a¤ZÑ com.amazonaws.eu-nor\
        th-1.cloud9.webview-assetsZd#ZæÂ;ZÛR¬`aÚæÐÂ;ZÛX2.d#ZæÐ¢·e¡e~ com.amazonaws.eu-south-2.s3Zs3\
        $Zs;ZÛRÅ@a±ÞZ#-=Yª3Î;Z3-=W2.aÞYª; com.amazonaws.eu-west-2.s3-websiteW3.aÞZ#-=Yª;Z3-=Oil«`a¤\
        Z1.ÑZ1.d#Z1.æ1.ès;Z1.ÛOme«`d#Z1.æ1.Ð1.em'ppui-üd com.amazonaws.me-central-1.emrnotebooks-pr\
        odZ1.eß$Z1.s;Z1.ÛR¬`aÚæÂ;ZÛOrds.af-þ*Tpã*Z-2*VÊ©1*Zh©2*Zh©3*Vþ*Zh-2*Zh©1*Zh©2*Zh©3*Zh©4* co\
        m.amazonaws.rds.ap-southeast-5*Zh©6*Zh©7*Scaÿ*VÆ*Seuÿ*Z'l-2*VÆ*Z-2*Z-3*Silÿ*Smeÿ*Vþ*Txÿ*Ssa\
        ã*Susã*Z-2*Vgovã*ZÆ*VÊ©1*VÆ*Z-2*Os3Q-1RapãUÊ©1Z©2Z©3UþZ©1Z©2Rcaÿ com.amazonaws.s3-eu-centra\
        l-1UÊ-1UÆZ2Z3Sxt,nal-1Rfips-us-govãZgov-ÆRglobal.accópo>t.m'pRme-þRsaãRus-©2UgovãYÆUÆZ2R=-a\
        p-Ê©1Zap-¬©1Zap-¬©2Zeu-ÆZsaãZusãZus-gov-ÆZus-ÆZus-we(-2Pa-ØaÞZ#-=Yem'ppui-üd com.amazonaws.\
        sa-east-1.emrnotebooks-prodZ¡~Ys3Z3$Z;Z3-=OusãX.@a±Þ¿Î3¦;Z3-=W2.@a±® com.amazonaws.us-east-\
        2.dualstack.s3Z#$¿Î3¦;Z3-=Rgov-Ød#Z`æ`d#$¦`d#¦îs3Z`s3$Z`s3$¦`s3¦`s;Z`ÛVÅd# com.amazonaws.us\
        -gov-west-1.dualstack.s3-accesspointZ`d#$¦`d#¦îs3Z`s3$Z`s3$¦`s3¦`s;Z`ÛRÅaÞ¿¦;Z3-= com.amazo\
        naws.us-west-2.analytics-gatewayZÞ¿Î3¦;Z3-=Kcognito.af-¬`¼Tp-Ø¼VÊØ¼Zh©2.¼Zh©3.¼V¬`¼Zh-2.¼Zh\
        Ø¼Zh©2.¼Zh©3.¼Zh©4.¼Zh©5.¼ com.amazoncognito.ap-southeast-7.authSca«`¼VÅ¼Seu«`¼Z'l-2.¼VÊ`¼V\
        ¬`¼Zh-2.¼VÅ¼Z-2.¼Z-3.¼Sil«`¼Sme«`¼V¬`¼Tx«`¼Ssa-Ø¼Sus-Ø¼Z`¼¦-2.¼Z-2.¼-fipsVgov-Ø¼¦Å¼-fipsVÅ¼\
        Z`¼¦-2.¼Z-2.¼-fipsGplifyäFppµziHl>ziHs-1@d1Ipaceho(edM¯ com.appspotL.r*Ftlassi@-3p*Q-us-gov\
        -mod*Oisolated-3p*GmetaFui¯*GthgearïMäsFwsärunn,*KsHglobalaccele't|Ebal{a-devðsGrsyc{t,Jonl\
        >eGse44-s@dboxFlog¾IspotJyteFoutirFplacedFrFuiltwithdarkGmbleshrimpEcafjsGnva-äsKho(ed-embe\
        dJcodeFdn77-(o'geFeµreFf-ipfsFiscofreak com.claudeusercontentV.f'meGev,-[.àðs*Goudflare-ipf\
        sFnFoGde.build,*Jdev-build,*J(g-build,*IspotFp'pidGà,Furs|¯*G(om,-oci*Q.oci*Tp*Ts*Edamnà,Gt\
        adet÷.demoP>(@ceHtolocalJrelayJÖF¾freeIgeekJuruIk>gFeGployag{tGus-c@vasGv-myqnap[H>äs* com.\
        digitaloceanspaces*Gsc|dsaysMezGtchyouripFnsabrIliasHdojoHisk>kyFoesntexi(Gj>Gntexi(Gom¾Gpa\
        asF'yd¾Geamho(,sGive-platf|mFsmynasFurumisFyn-o-saurHaliasH¾-at-homeOw|kLblogLfreeLhomeLipL\
        ^ilLoffðLpicsLremoteLà,LÖ com.dyndns-wikiM|kHnsHud¾IñEela(icbe@(alkU.af-þWpãYÊ©1Z|th©2Z|th©\
        3YþZouth©1Zouth©2Zouth©3Zouth©5Zouth©7VcaÿVeuÿYÊ-1YþZouth-2YÆZe(-2Ze(-3VilÿVmeÿYþVsaãVusãZa\
        (-2Ygovã com.elasticbeanstalk.us-gov-west-1YÆZe(-2Fm,g{tag{t.previewFnc|eapiF(-a-la-^isonPs\
        ionIle-patronImon-blogueurFuG1-pl{itFv{node.eu-1Q2Q3Q4Nus-1Q2Q3Q4EfÍlydsG(ly-edgeLt,'riumIv\
        ps-à,Fbsbx.äsFirebaseäIwall-gatewayFldrvF|geblocksF'm,c@vasGeebox-osLosImyip com.from-akKlK\
        rJcaKtJdcKeJflJgaJhiJiaKdKlKnJksKyJ^KdKiKnKoKsKtJncKdKeKhKjKmKvJohKk com.from-orJpaKrJriJsc\
        KdJtnKxJutJvaKtJwaKiKvKyEgeekgalaxyGntäsIl{tapisGtmyipFiizeGthub¯FleezeFoogleapisKcodeGt¾Hp\
        @theonFrGayjayleaguesEhat{ablogKdiaryFealth-car,ef|mGrcules-ä com.hercules-devHokuäFkFobby-\
        ×Gmel>uxIsecurity^cQpcIunixG(ed-by-previd,.paasKpiJur.'g-[V-chGtelwithflightEia^lla^Fk-à,.j\
        [U-v,-jpcFp-d¾Fs-a-@arµ(Jblogg,Kookkeep,Kulls-f@Jcat,,KhefKonàativeKpaKubicle-slaveJdemoc't\
        Lsign,Koct|Jf>@cialadvis|JgeekKre{ com.is-a-guruJhard-w|k,Kunt,Jl@dscap,Lwy,Kibe'lOtari@Kla\
        ^Jmusici@Jnascarf@KurseJpa>t,K,sonalt'>,Khõg'ph,Klay,Jrepublic@Kock(arJsociali(Ktud{tJteach\
        ,LµeKhe'pi(In-account@tMt|NróLnarµ(Lrti(K{g>e,Mt,ta>,Hc,tifiedHgoneH>to-@ime com.is-into-ca\
        rsPtoonsMgamesHleetHnot-c,tifiedHslickHub,leetHwith-theb@dGa-geekIhockeynutGs^rt,th@youFtEj\
        dev[Fela(ic.demoFpnE}sà,FozowEla1-pl{itGdeskFikes-pieJc@dyGnode.memb,sLnodebal@c,*Kobj÷s*K¯\
        .ipGve-=FocaltonetGgoipGseyouripGvableüj÷Fp¯Fut'¯* com.magicpatternsappGssivegrid.paasFówit\
        h¾Gtaai¯*Heo'ppN.euGxF>ià,Focha¯GdelscapeFw[nonüdFyactivedir÷|yHsu(|G[nasGdattoHbà,HobissGi\
        pho(Gnas[Gqnap[Gsecuritycame'HhopblocksKifyHpreadôGtabitHhic-bea(s.ca'calTu(om,Sf{tig,Slynx\
        SocelotTncillaUza com.mythic-beasts.sphinxSvsSxSyaliHuleapGvncEneat-urlGt-freaksFfsho(Fospa\
        müxy.[V.o365Eoai¯*Fbàable¯.(aticFn-aptibleHf|geHvap|Gr{d,GthewifiFoguyFpe'uniteF'cle[äs*Kgo\
        v[äs*G×sFutsy(ems[Fwnüvid,Eýpeedmobiliz,Gywhirl*FgfogFivoñGxol>oFlay(aÏ-[Geskns com.point2t\
        hisGlyspaceG(m@-echoFrgmr.x{Goj÷-(udy.devFython@ywh,eS.euEqa2Fbus,FualifioäIyhqpartn,*M|tal\
        *GicksytesHpelem{ts*E'ck^zeFeadthedocs-ho(edGmotewdGnd,.äGàdFh[Fð-labsFout>gthe[FuEsaGku't@\
        KÖGlesf|ce.platf|m.code-build,-(g.te(.001*Gme-äJpreviewGves-the-whalesFcrysecFecuritytactic\
        s com.selfipHls-f|-lóOuGrvebbsKe,Jcount,(rikeJexch@geJftpJgameJhalflifeKttpKumourJircJmp3Jp\
        2pKicsJquakeJsarcasmFhopit×FiiitesGmple-urlK×GnaäFmushcdnFpace-to-r{tFtackh,o-netw|kG'piäN.\
        mediaHeak-l>kKl>ksK¯Jmlitä com.stufftoreadFubsc-payEtave¯Fb-ñ.×Feaches-yogaGmp-¾Fhew|kpcG>g\
        du(dùFownnewsïFry-snowplowH[flareFuleap-partn,sFypef|m.üEukFnusualp,sonFpsunäFsG1-pl{itEvip\
        s>aäGv{uôFultrobj÷s*Ew-c|p-(aticblitzHred{tialló-(aticblitzG(aticblitzFafai[.jedPrydHflecel\
        lFebad|×Hspace-ho(FiardÖ.ýGredbladeñGthgoogle com.withyoutubeGx×ItudioFoltlab-demoGrkisb|>g\
        Fpdev[G{g>epow,edT.jsGho(ed^ilGmucdnFrite(hisblogEx0FnbayJ.u2M-localFtooldevðEyola×EzaDmb@k\
        EunityJ.myf|umKnogK'v{dbDp@yH.myboxFreEut,DsecCndosD(rucÏEult>gDtact contractorsCok>gDlE.de\
        Felem{t|DpCrsicaCuntryDponGsDrsesBpaBr¹ÌDedDfiDgoD|DsaCeditGcardGunionCicketCownCsCuiseGsBu\
        §)b cu.infDnatEetD|gCis>ellaBv§DdevÉDidEntÁúeÒpublD(|eBw§É%Bxûssóm{tsEthDcalculat|sElou¾Dfu\
        nnels»ÝDpaynowDquizzesDresearched cx.testsBy¹DºmG.scalef|ce.jDekloges»Dltd´%DpróFoDtmCmruCo\
        uBzC.coFnt{tüxy9.rscDe4»Dmetac{trum.[*Qu(omEuni.[.fltOusrDrealmAdadCnceCtaDeD>g datsunCyBcl\
        kBdsBeâÖseiteFhpD2ixD4li^DÈEplacedEw[-os->(@ce*ÌFmGmunity-üFsi¾.dynDd¾sI.dynM¾IecEiskussion\
        sb,eichEnshomeGupdat,Eyn-b,l>Hip24GÍsches-¾G¾1JsecDfirewall-gatewayErusky*Euett,tdasnetzDgi\
        t-repos de.goipDheim¾úe-Öà,R.dynH64Es-heilbronn.it.ýY-researchD>-b,l>HrbHutt,GdslGvpnFt,net\
        -¾Epv64EàschuleFte>geekGme>Dkey^ch>eDl-o-g-i-nEcube-à,EebtimnetzFitungs{Ei^-cityEogoipDme>-\
        iàEyF-gatewayGrout,Fhome-à,F¨DrubFhr-uni-bochum de.ruhr-uni-bochum.noc.ioëuldockIplattf|mIà\
        ,Ep¾Feedpartn,.cu(om,Equare7Erv¾Evn-reposDtaifun-¾Ee(-iàE'eumtge'deDvirtual-us,Kus,DÖspacec\
        onfigDx{onconn÷*En--gn(igbe(ell{-zvbNlief,n-wobCalE,EsCgreeCliv,yDlDoitteDtaCmoc'tCntalEi(C\
        siEgnG.bss design.graphicCvD.ÈFearblogFotdashF'veJ.s*Ecodep{Frm.aa*Jb*Jc*Jd*Je*Jf*Ici*Id*Ip\
        a*Jb*Jc*Jd*Je*Jf*Iw*Ja*Jb*Jc*Jd*Je*Jf*Ed{oIïE,p dev.erp.webFv,vault.relayEflyEgateway*Fithu\
        bpreviewFrebedocEhrsnE>brows,*Fs-aI-full(ackJgoodHcoolHnot-aG,vElcl*H(age*FeapcellFocalc,t.\
        us,*Jplay,Gg>l>eFpG.apiHobj÷sEmediatechFocha-s@dboxGdxFyaddrEngrokJ-freeEýGnelGyload dev.pl\
        atter-appEr2FeplitK.arch,LbonesLc@aryLglobalLhack,LidLj@ewayLkimN'OkLodoLparisMicardNkeMr,e\
        leaseLreedMik,LsiskoMpockMtag>gMuluLtarpitMeamsMuck,LwesleyM|fFunconta>,sE(g*H(age* dev.sto\
        rage.t3Lapi.t3Ev,celFiv{uôEÖhare*F|k,sExmitBhlBiamondsCetCgêlCr÷G.libp2pG|yCscountFv,DhCyD.\
        discourseEi^g>eBjBkâhjemmesideDºDfirmDmy¨DregD(|eBmË dm.edu»%BnpBoûrtÌm)bFv´%DsldDÖCcsDt|Cg\
        C^>sCtCwnloadBriveBtvBubaiCpontCrb@BvagCrBzûrtEsso dz.com)v%DpolDsocDtmAearthCtBcûbgEdmEgro\
        nErqtFtDbarFseDchefúFntEpaEueDd{tEgnEiscoEocÉEngEsmDf>Eot ec.galEobFvEyeDibrEnfoDk12DlatEoj\
        DmedEilEktgEonÁEtrDodontEfficialErgDüGfEsicGqEubDrioErppDsalDtechEulFrDuioDvetDxxx ecoBde}C\
        uD.rit.git-ýDcaÏJ.coBeûipÌmÉDfie»DlibDmedÒpriDriikBg¹ÌmÉEun»ÝDmeEil½DsciEp|tDtv emailF.>tou\
        chGtawk.pKto.pC,ckBn,gyCg>e,I>gCt,prisesBpsonBquipm{tBr*CicssonCniBsâmiÖÌm)bDmy¨DnomD|gCqCt\
        ateG.compute*BtC.ºm)vÝDname et.netD|gBuû^zonÖàðs.on.eusc-de-Øcognito-idp.¼DÈD[nsDdeuxfleurs\
        Eir÷wpEnshomeEogado.jela(icDnxa*DprvwDsp¾Dt'nsurl*CrovisionCsD.party.us,Bv{tsG.coHkoob>Bxch\
        @geCp,tDosedDróCt'spaceAfageCilDrw>dsDthCmilyCnD.mkm fansCrmE,sC]onDtBedexCedbackCr'riE,oBi\
        âkotisivuDal@dD[platf|m.fiDdùc{t,.demoOpaasEyDikiD}psiDmy¨Déhkk>{-5waCdelityDoClmCnalEnceGi\
        alJ.coCreE(oneDmÃeCshE>g fitDnóBj¹Dºm)vDidEnfo´½DüBk*BlickrDghtsDrC|i(Dw,sCyBm§É%D'dioDus,*\
        BoCoDd footballCrdDexDsaleDumCundaÏCxBrâ×ÖDa,op|tEssoEvocatGuesDcciEhambagriFirurgi{s-d{ti(\
        esY-{-f'nceúDdediboxDexp,ts-comptablesDfbx-osGosEreebox-osKosDgoupileGvEretaDhuissi,-ju(ðDk\
        ¾Dmedec>Ey¨Dnom fr.notairesDon-ÖDphar^ci{E|tErdDtmDvet,>aireDynhCeeDs{iusClCog@sDnti,BtrBuj\
        i²CnD.msEvicpEyicpEzicpDdCrnitureCtbolByiAgaClDl,yEoEupCmeEsF.pley games.sheezyCpCrd{CyD.ýB\
        bCizBdC.edu»CnD.cnpyBe§Eyb)vDllcÁDonl>eErgDpvtëoolDtnxCaCntE>gC|geBfBgC.botdashÌ gg.kaas%Dp\
        @elI.daemonEly.at*Hd6D(ackitCeeBhC.ºm)v´%BiÔDltdDmodD|gCftEsCvesD>gBlËÉ gl.netD|gCassCeCoba\
        lG.äwriteEoBmCailCbhCoCxBn¹Ìm)v%BodaddyCldEpo>tDfCodyearDgE.[Ft'nslateF¯*EleCpCtCv gpûssoÌm\
        ÉDmobi%BqBrC.ÈÌm)v%Dsimple×Ca>g,DphicsDtisCe{CipeCoc,yDupF.discourseBsBt§)bD>d´Á gt.orgBuÔE\
        uamÝ%DÖCcciCgeCideDtarsCruBwC.nxByË)v%AhairCmburgCngoutCusBboBdfcEb@kBealth health.hraGcare\
        ClpDs>kiCreDmesBiphopCsÍ²CtaµCvBkÔDidvEncDltd%Dé55qx5dHciqpnHgmq050iKw5aHio0a7iHlcvr32dHmk0\
        axiIxtq1mHod0algLq3bHtn0agHuc0atvLy4a hk.xn--wcvs22dHzf0avxCtBmBn§)b´%BockeyCld>gsDidayCmed\
        epotEgoodsEsF{seCndaCrseCspêlDtE.boltF[accóFeasyp@elGm,g{tFfa(vpsGree×FgadgetFhalfFiàFjele \
        host.mircloudGyfa(FtempurlFwp2HmudevE>gH.op{c'ftCtDelFsD^ilCuseCwBrC.br{dly.ôÌmDfromDizDnam\
        eBsbcBtûdultErtEssoÌmFopÉDfirmDgouvÝDmedÁ ht.orgDp,soEolEroDrelEtDôBuC.2000Dag'rDboltDcas>o\
        EityEoD,oticaI}DfilmE|umDgamesDhotelÝFgatl@DjogaszDkonyveloDla}sDmediaDnewsÒprivDreklamDsex\
        Ehop hu.sportEuliEzexDtmEozsdeDutazasDvideoCghesByattCundaiAibmBcbcCeCuBd¹EiDºDdesaDeDgoDko\
        p´EyÁD|DponpesëDÖDé9tfkyDzone ieC.govDmy¨CeeBfmBk@oBl¹ÌF.mytabitG'vpageGtabit|d,»DidfDk12Dm\
        uni%Bm¹ÌF.ltdGplcFm%DttEvCa^tCdbCmoEbili{ inC.5gD6gDacE,oEiElumniEmDb@kFrsyEiharFzEus>óDcaE\
        lou¾EnEoFmFopEsDdelhiErÉErDf>FrmDg{EovEuja'tD>dGevsFfo in.intG,netEoDmeEilÁEicÒpgEo(EroDres\
        ëoolEupabaseDt'velEvDubEkEpEsDÖCcCdu(riesCf>itiDoE.barrel-of-knowledgeLl-of-knowledgeIsyF[n\
        sF¾updateGvrcamGynÍc-¾ info.dyndnsFf|-ourIumzFgroks-theNisFh,e-f|-m|eFilovecollegeFknowsêll\
        F^yfir(GittwaldNà,Fno-ipGsupdateFselfipFtypo3à,Fv->foFÖhopCgCkC(ituteDu'nceFeCtD.euD,naÏalD\
        uitCve(m{tsBoC.2038DapigeeEzureconta>,*Db-dù io.barsyFsicà,EeagleboardFebyte.paasKä.sekd1Ei\
        tbucketEluebiteEoxfuseE'veI.s*Fows,safety^rkEubble.cdnJäsDcleve'ppsFoudbees¯EoFmDdänode.dyn\
        ¾Frkl@gEedynFf>i^Erive-platf|mDedit|xFuGgitDfh-mu{(,E|g,ock.idDgitbookGhubGlabEovDhasu'-ä i\
        o.hostyhostingEyp,nodeDicp0H.'w*G1H.'w*DjeleDke{eticEiloäsDlair.äsEog>l>eFlipop´Eo-siem{sFo\
        nscale*Eusici@EyaddrFrdbxÁEgrokI.apKuJeuJ>JjpJsaJusEodeart.(ageFmDon-k3s*Grio*Erg io.panthe\
        onsiteE(mnI.mockDqcxG.sys*EõEzzDrb-ñ.×EeadthedocsFs>devðI(ag>g.devðsDs@dcatsEcrypted.cli{tE\
        tolos*DtelebitEh>gdu(.dev.cu(RreàdOisrec.cu(UreàdNüd.cu(Nte(>g.cu(VreàdEicketsDutw{teDvap|[\
        Eirtualà,DÖflowKte(Gth>gsEix¶Bpi'ngaBq iq.com)v´%Br¹Erv@edgeÌ»Did%ëDvi(ablogDémgba3a4f16aP'\
        CishBsC^iliCtD@bulBtâhomepageE6-bD32-bD64-bDabrGuzzoEgFrig{to it.alFó@driaFto-òHòEnFconaFdr\
        ia-á-t'niKt'ni-áJát'niJt'niáEoF(aI-valleyIvalleyHeEpEqErFezzoEscoli-pic{oJpic{oFtiEtEvFell>\
        oDbaFls@J-sud°Med°FriGletta-t'ni-@driaLt'ni@dria it.basGilicùEellunoFnev{toFrgamoEgEiFellaE\
        lEnEoFlognaGz@oK-altoòFz{I-sud°Led°ErFesciaF>disiEsEtEuls@J-sud°Med°EzDcaFgliariFlGabriaGt@\
        issettaFm it.campaniaHid@o-medioMmedioHobassoFrbonia-iglesiasLiglesiasG''-^ssaK^ssaFs,taFt@\
        iaIzaroEbEeFs{a-f|liJf|liEhFietiEiElEnEoFmoFs{zaErFemonaFõneEsEtEuneoEzDdell-oglia('Hoglia(\
        ' it.dnshomeÉEmilia-ro^gnaJro^gnaFrEnFnaDfcEeFrmoG''EgEiFr{zeEl|{ceEmEoggiaFrli-ces{aIces{a\
        ErFiuli-v-ÜLe-ÜMÜMnezia-ÜRÜLÜJv-ÜKe-ÜLÜLnezia-ÜQÜKÜ it.frosinoneEvgDgeFnoaHvaEoFriziaFvErFo\
        ssetoDibxosEglesias-carboniaLcarboniaEliadboxosEmFp,iaEsF,niaDkrDla-speziaFquilaFspeziaFt>a\
        FzGioEcEeFcceHoEiFgGuria it.livornoEoFdiFmGbardiaKyEtEuFc@iaGcaD^ce'taFntovaFrGcheFssa-car'\
        'Icar''Fte'EbEcEeFdio-campid@oIcampid@oFss>aEiFl@IoEnEoFd{aFlGiseFnza it.monza-brianzaJe-de\
        lla-bri@zaIbri@zaIebri@zaJdellabri@zaEsEtEy¨DnaFplesGoliEe{.jcEoFva'EuF|oDogFlia('Elbia-tem\
        pioItempioErFi(@oEtDpaFdovaGuaFl,moFr^FviaEcEdEe it.perugiaFsaro-urb>oJurb>oGca'EgEiFac{zaF\
        edmontGmonteFsaGtoiaEmnEnEoFrd{oneFt{zaErFatoEtEuFgGliaEvEzD'FgusaFv{naEcEeFggio-calabriaKe\
        miliaJcalabria it.reggioemiliaEgEiFetiFm>iEmEnEoF^GeFvigoDsaFl,noFrGdegnaH>iaFssariFvonaEiF\
        cGiliaIyF{aF'cusaEoFndrioEpErEsEuFd-sardegnaGsardegna it.suedtirolEvEyn[DtaFaF'ntoEeFmpio-o\
        lbiaJolbiaF'moGniEnEoFr>oFsGc@aEpErF@i-@dria-áJá-@driaI@driaáIá@driaGp@iF{t>-sud-°O°Ned-°P°\
        KoL-a-òNòNlto-òQò it.trentino-s-tirolN°Nud-°P°Oed-°Q°La-òMòMlto-òPòLs-°M°Mud-°Ned-°P°Ksud-°\
        N°Med-°O°IoGvisoFie(eEsEur>Fsc@yEvDudF>eEmbGriaErb>o-pesaroJpesaro it.vaFl-d-ao(aIao(aGd-ao\
        (aGle-ao(aJd-ao(aKao(aIao(aId-ao(aJao(aIe-ao(eKd-ao(eJao(eJdao(eFoFreseEbEcEdaEeFnGetoHziaG\
        ðFrb@iaJo-cusio-ossolaGcelliGonaEiFbo-val{tiaHval{tiaFc{za it.viterboErEsEtEvDébals@-sd°-ns\
        bIoz{-sd°-2obIuls@-sd°-nsbHces{a-f|l-mcbNf|l-i8aHf|l-ces{a-fcbLces{a-c8aHsd°-n2aHtr{t>-sd-°\
        -rzbR°-7vbOo-sd-°-c3bS°-szbPsd-°-rzbR°-7vbOsd-°-6vbQ°-nsbHvalle-ao(e-ebbNd-ao(e-ehbMao(e-e7\
        aMdao(e-ebbCauCvAjaguarCvaBcbBeC.co je.netDofErgCepCtztCwelryBioBllBm*CpBnjBoûgriEiÌmÉEngDf\
        m»´%Dp,EhdëDtvCbsDurgCtCyBpC.0am jp.0g0Ej0Et0D2-dDacEdEiµI.aisaiK^KnjoKsukeJµryuMtaJfusoJga\
        ^g|iJh@daLzuKek>@Kiga]u'Jich>omiyaKnazìLuÀKs]kiKwaku'Jk@ieLriyaLsugaiKi'LyosuKo^kiLn@Lta jp\
        .aichi.mihamaLyo]Jni]oMsh>JobuKguµKharuK}zÙKwariasahiJsetoKhi}²Mn]roMta'Jtaha'L}ha^Kobi]^Le\
        iLgoL}iMonameLyoakeNha]NÕNneNtaKsu]^JyatomiEkêI.ÙtaJdais{JfujisatoJgojome jp.akita.hachirog\
        ataLppouKigash>aruseKonjoNyoJiÕJ}miko@iNo}LtagÍLzunoKêÙtaKosa}KyowaJmisatoLt@eK|iyo]Jni}hoK\
        o]roJodateKgaMtaJsembokuJyokoteKurihonjoEngryú|iJ.aom|iKgonoheKhach>oheM]}miLi'naiNosÙ jp.a\
        omori.itayanagiKkuroi]KmisìLu²Kna}do^riLohejiKoi'seLw@iKrokunoheKs@noheLhich>oheNngoKtakkoL\
        owadaLsugaruNrutaDbabyblueHmilkFckdropFmb>aEitt,ElushEonaFoFyGfri{dEutFyôDc@dypopFpooFtfood\
        Eheap jp.chibaI.abikoKsahiJchon@MseiNhiLuoJfunaba]Lt²Jh@Í³Jiµha'NÕNnomiyaKnzaiKsumiJ}^gayaM\
        o³L]waLt|iMsuu'Kimi²Lsa'zuKozÙKujukuriKyon@J^²doKid|iLha^LnÍbosoKoba'Ku²zìJnaga' jp.chiba.n\
        agareyamaL'sh>oMêKodaJoÍ]'satoKmi³KnjukuKtÙJsa}eMu'KhimofusaM'koNoiMsuiKodegau'LsaJtakoLteÀ\
        Kog@eLhnoshoLmisatoJu'yasuJyaµ^taOyoKo}iµbaMo]bahi}riL²}idoGcäaGlloutGpsFowd,Fu jp.ciaoEoFc\
        otteFolblogE'nkyGpEutegirlDdaaFynightEecaGiEigickDedEekEgoismEhimeI.a>@JhonaiJi}taK^bariKyo\
        J}miji^KihokuKu^kog{J^sÙL²noOÀJnÍ}taKiiha^JozuJsaijoKeiyo jp.ehime.shikokuchuoJtobeLonJuµko\
        Kwaji^Jyìtaha^DfakefurF]on(|eEemEli,FopHpyEoolEr{chkissEukuiI.eµz{KiheijiJfukuiJikedaJ}²ÀJm\
        iha^LnÍeµz{Joba^KhiKnoJsabaeL}iJta}ha^KsurugaJwa}saHo}K.a]ya jp.fukuoka.buzenLµkugoQhoQjoQs\
        h>oQz{NuoLdazaifuLfukuµLha}taMiga]NroÕNsaÀLiizu}Mna²kiL}hoNsugaPyaNwa'Meis{MogaMu'teOogiOum\
        eLm>ÍNyakoP^Pwa}Nzu^kiMuna}taLna}³P^ jp.fukuoka.nishiMogùLog|iM}gÙOwaNiMmutaMngaNojoMtoLsai\
        ³NsaguriMh>guPyo]tomiNonaiMoedaMueLtaµa'iN³N}taMohoNyo²MsuikiLukihaMmiMsuiLÀdaOeNna³Mukuha]\
        H]^M.aizub@ge jp.fukushima.aizumisatoRwa}^²OsaÕNb@daiNdateNfuku]^PrudonoPtabaNh@ìOiga]P'taQ\
        onoNiêteOnì]roO]ÕOwÙOzumizÙN}gÍi]PneÀPwa^taOê}taR]oba'Oo|iPriÀOunimiNmiharuP]^NnÍePngoOi]ai\
        zuSgoNoku^ jp.fukushima.omotegoOnoOta^Nsame³OhimogoQ'ÕPowaOo^Ou}³Ntaish>P^ÕPnagu'O{eiNyabuk\
        iP^toSsuriPnaizuOu³DgifuH.@paµI{aIgifuKn@JodoJujoIha]^JiµsoKdaKga]]'ÕIibi³JkedaI}}migaha' j\
        p.gifu.kaniKsaha'M^²KwaueJêgùIm>oM}moKtakeKzunÍJõsuIna}²³IogÙIsa}hogiJekiMgaha'Jhi'ÕItajimi\
        K}ÀKruiJokiKmi}Iw@ouµIÀgùKo²J|oFrlfri{dHyEloomyEoFnnaErFeat, jp.gunmaI.@na}JµyodaJfujio}Jhi\
        ga]aga²^JisesÙKtaku'Jk@naM'Ltash>aLwabaKiryuKusa²J^eba]KeiwaKid|iLna}miJnag@oha'Lk@ojoLnmok\
        uKu^taJoizumiK'KtaJ]buÕMmonêMntoLowaJta}sÙNÀL^mu'Ltebaya] jp.gunma.tomiokaKsukiyonoM^goiJu{\
        oJyo]o}DhaccaFlfmoonFndc'ftedFtebloHnablogJdiaryEeavyFrEihoFppyFro]^M.asam>ÍNdaiwaNetaji^Nf\
        uchuPkuÀNha²}iµOiga]hiro]^OongoNj>sekikog{N}êOuiPm@oPreNmiha'Pyo]Nna} jp.hiroshima.onomichi\
        OsÙ}miji^OtakeNsa}Oe'Rni]Oh>iµPoba'Ntakeha'Eok}idoL.aba]riOi'NiøN}bi'Oke]NsahiÕOhiøP|oOsabu\
        N²^MbibaiOeiOfu}Oh|oO't|iMµppuøPtoseMdateMeøNmøNniwaNrimo jp.hokkaido.esanP]Mfu}³Pu]^O'noPu\
        bi'Mhab|oOkodateO^tonøNida}Oga]}gu'VwaOrooNokuryuQtoOnøOrok@aiQnobeMikedaN^k@eN]}riNwÍzìPna\
        iM}mifu'noQÕQ]h|oRuna³Po{aiOyabeNembuµNikonaiOmoø jp.hokkaido.kitahiroshimaQmiOyosatoNo]miz\
        uNunneppuOriÀPo^²naiO]roOtch@NyowaM^]keO²^eNi}saOnÍfu'noNomøOseu]NuÕOro'nMnaieO}³Qsa²naiQto\
        møOnaePp|oOy|oNemuroNii}ppuOkiO]okoppeNob|iøNu^taMobihiro jp.hokkaido.obiraNketoOoppeNtaruO\
        obePfukeP>eppuNumuNzo'MpippuM'nko]NebunNikuøO]riTfujiMsaro^Pufu²Nhakot@PriOibechaR²P}beRoiP\
        ^^kiQizuQoÕPnsh>o²QtokuP'nu}RoiQiuµNoø jp.hokkaido.sunagawaMtaikiO}suPiÕQnoueNe]}gaNoøOh^O^\
        ko^iQriOyaQkoPõmiQu'NsuøPkigùMu'ÕPusuOyuNtash>aiMwakk@aiOssamuMyakumoNoiµFlyEungryEyogoI.ai\
        oiK}]LoK^gasÙKogÙ jp.hyogo.asagoLhiyaKwajiJfukusÙJgo]kiJhari^KimejiJiµÕKna³KtÍJ}ko³Lmig|iNÕ\
        LsaiMugaLw@i]JmikiLnÍìjiJnish>omiyaOwÙJonoJs@daMn@LsaÀLyoKh>guNons{MsoKumõJtai]L}N'zu} jp.h\
        yogo.takasagoM>oLmbaL²noKoyoo}JyabuL]roKo}NwaDiba'kiK.ÍMsahiLb@doLµkuseiLdaigoLfuji]roLhêµS\
        na}SomiyaTtaLiba'kiMnaO]kiMtakoMwa^LjosoL}misuNsa^Ohi^Oumigau'MogaLmiho jp.ibaraki.mitoM|iy\
        aLna}NmegùLoa'iM³Mmê^LryugasÙLsa}iOu'³MhimodateQ²^OrosatoMowaMuifuLta}hagiN^²kuriMo}iNmobeN\
        neNrideMsuµu'OkubaLuµha'M]kuLyaµyoN^gùNwa'MukiEcurusE]ÕL.@Ízu jp.ishikawa.hakuiQs@M}gaOhoku\
        OnazìOwÙtaNo^²Mnak@õOnaoNomiOnoiµOtoM]}NuzuM²bùPrugiMuch>adaMwaji^EtigoEwateI.fudaiLjisìJh@\
        a^kiKi'izumiMonoJich>ohePsekiKwaizumiMteJjobojiJ}^i]LnegasÙ jp.iwate.karumaiLwaiKê}miKujiLn\
        oheLzu^kiJmiyakoLzusìK|io}Jn>oheKodaJofunatoKshuK²µJrikuz{ta}taJ]waMzukui]KumêJt@ohùKonoJya\
        habaL^daDjeezFllybe@D}³J.aya³Khiga]}³Kk@onjiLõhi'Km@noMrugameLitoyo jp.kagawa.naoshimaKs@uk\
        iKtado²M}^²LonoshoKuch>omiLtazuKz{²jiGo]^M.akuneO^miNhiokiNisaP{OzumiN}go]^PnoyaPw@abeO>koO\
        ouÀN^ku'zÙP²mõO>Ít@eNna}t@eOish>oomoteNsa²^s{daiOooNtarumizuNyusuiFna³L.aiÕN²gi jp.kanagawa\
        .ayaseMµgasÙMeb>aMfujisìMhad@oOkoneNi'²}Miseha'M}iseiO^ku'NiyoÕM^²daN>Ía]ga'Ou'Mna}iN>omiya\
        Modì'NiOsoMsagÍha'OmuÕM²kuiMÀkêQtoNokosu}Nu³'Mza^Nu]FwaiiôHsÙ*L.city!Eiki'' jp.killGoFtakyu\
        shu*N.city!Eobe*H.city!FµI.ÙJgeiseiJhida}Lga]²noJ>oJ}gÍLmiKê³KoµJmiha'KõÀKurõJnahariL}mu'Ln\
        kokuKi]tosaLyodo³JoµKÕKtoyoLsukiJsaÕKukumoLsÙJtosa jp.kochi.tosashimizuLyoKsunoJu^jiJyasuda\
        Kusuha'Eu^mõL.a^kusaN'oNsoMchoyoMgyokutoM}mia^kusaNikuµNu^mõM^]kiNifuneOna^taRioguniMnagasu\
        Ni]ha'MoguniNzuMsumõMta}m|iMukiNtoMÀgaQtoO²]roFronEyõ jp.kyoto.ayabeJfukuµÀJhiga]ÀJideKneJj\
        oyoJ}meo}MoKêLzuKumiÀKyotambaOnabePgoJ^izuruK>ÍPÀ]roLyazuKukoJnagao}kyoL}gyoLnt@JoÀzÙJsakyo\
        Kei}Jt@abeJujiMtì'Jwazu}JÀsh>aLwùDlg jp.littlestarEolipopmcHtapunkFmoFvepopHsickD^>FtrixEie\
        G.asahiH>abeIseH}meÀJwagoeIihoJsosÙJwaIomonoIum@oJw@aH^²sa}IeiwaIiha^JnÍiseJsugiJÀHnabariH]\
        ^Iuzu}HtadoJikiJki jp.mie.tamakiIobaIsuHudonoIresh>oHwù'iHyok}iµFmozaFyagiJ.furuÕKhiga]^²]^\
        Kish>o^kiLw@u^K}kudaMmiMwasÙK^rum|iM²]^L>Ís@rikuMsatoLu'taKnat|iKo³'Lhi'Lna³LsÙKrifuKsem>eL\
        hibùNµ}shukuN}^Noga^ jp.miyagi.shiroishiKtagajoMiwaLomeNiyaKwakuyaMtariKÀmõKzaoHzÙL.ayaMeb>\
        oMgo}seMhyugaM}do³Owam>ÍNijoOta³Q}taQu'Nobaya]NunitomiO]^Mmi^taOyakonojoQzÙN|o²}Mnich>@O]me\
        'Nobeo}MsaitoNhiiba jp.miyazaki.shintomiMta}haruQnabeQzÙNsunoEodsFndGgoli@FoEy¾Dnag@oJ.aµLg\
        e^²Ln@LokiLsahiLzum>oKµkuhokuP^NnoKfujimiKhakubaM'Li'yaKiidaMji^MÀMzunaLkedaMusa}LnaK}ruizì\
         jp.nagano.kawakamiLisoOfuku]^MtaaikiLo^g@eN|oK^²ÕPmõLiasaMnÍaikiQ^kiR>owaNowaMyadaNotaLoµz\
        ukiKnag@oOwaNisoM}³OnoLozìons{KobuseL³L}yaL^µMiLokuwaM]}LtÙNriKsa}e jp.nagano.sakakiNuOhoLh\
        imosuwaNn@o^µNojiriLuwaMza}Kta}giOm|iOÀMtesh>aNsunoLogaku]Nu'MmiKuedaKwadaKÀgùOnouµMsa}Nuo}\
        HsÙL.µjiwaMfu²MgõMhasÍNi'doMikiNsahayaMÕt@aNuch>o² jp.nagasaki.matsuuraMnagasÙMoba^Nmu'Nset\
        oMsai}iOseboNeihiNhi^ba'Pn}migõMtogi²Nsu]^Munz{Goya*J.city!F^(eF'H.@doIgoseIheguriJiga]yosh\
        >oIi}rugaKo^I}mikêÀKn^kiK]baNha'K²'giKwaiM}miMni]J|yo jp.nara.kurotakiImi²eKyakeIna'Jose³Io\
        jiJudaJyodoIsaku'iKngoJhimoiµNkêÀLnjoJoniIta}t|iKwa'mõJ{ÕLriIudaIÀtok|iÀOta}daMzoeJosh>oEeF\
        .ase>et.us,GgehirnGiv|yG^il-boxH>tsHokur{GopalGsaku' jp.ne.sumomoGtopazFtgam,sEiigùK.agaOno\
        Lgos{Litoi³MzumozÙLjoe²L}moNriwaN]wazÙLm>Íuonu^N²keMui}N'}miMyokoLnagao}MiigùLojiyaMmiLsado\
        NnjoMeiroQuNkiÕMhibùLtagÍN>aiMoµoN}^µ jp.niigata.tsubameOn@Luonu^LyahikoMoêMuzìFkêEobu]F|Ey\
        @taDo0o0EêH.beppuJungoonoNta}daIhasa^JijiKme]^KtaI}mi²eJokonoeJujuKnisÙKsuIoêIsaikiItaketaJ\
        sukumiIusaKukiIyufuE}À jp.okayama.akaiwaMsakuµLbiz{Lhaya]^Liba'L}gam>oNsao}MibichuoMum{@N']\
        kiLm@iwaMisÙLnagiMiimiN]ìku'Lo}ÀLsatoshoMetouµMh>joNooMojaLta}ha]Nm@oMsuÀLwakeLya}geF>ìK.ag\
        uniLg>ow@PzaMu]}miLhaebaru jp.okinawa.higashiN''LiheyaM]gÙPÕMtom@Mz{aL}d{aM>NtadaitoPna}gus\
        ukuMumeji^NnigÍLm>ÍdaitoMõbuLnagoNhaN}gusukuOij>NnjoMi]ha'LogimiMk>ìMnnaL]mojiLtaketomiN'^M\
        o}]kiNmigusukuNnÙLu'soeNu^ jp.okinawa.yaeseMomit@NnabaruPguniLza^miEopsErEsa}I.ab{oJµhayaa}\
        sa}LuoJdaitoJfujiide'Jhabik>oLnn@Kiga]osa}Qsumiyo]Qyodo³L'}taJiba'kiKkedaKzumiOo²Os@oJ}do^L\
        izu}Ln@L]wa'Lt@oLwach>ag@oKi]wadaLta jp.osaka.kumatoriJ^²ba'K>atoMohLsÙK|iguµJneya³Ki]KoseJ\
        osa}saÀJsa}iLÀK{n@Lt²KhijonìteM^mõKuêJtadao}Li]LjiriL}i]N²kiKondabaya]Lyona}OoJyaoDpa'llelH\
        ×Eec|iFeweeFnneFpp, jp.permaEgwEigboatFnokoEunyuFpuFssycatEyaD'>dropEdyEeady^deEgrEulezDsad\
        i(FgaH.ariakeLtaIfukudomiIg{}iIha^ta^Jiz{Ii^riI}mim>eKnzÙK'²K]^JêgùMhùKÀJouhokuJyu'giIni]ar\
        ê jp.saga.ogiJ^µJuµIsagaJhiroi]ItakuK'JosuIyosh>ogariFê^K.a'ÕMsa}LµµbuLfujimiRnoN}yaLh@noOy\
        uNsudaNtogayaPÀMida}Nga]µµbuS^²ÀMonjoL>aMru^Mwa²kiL}miizumiPÕPsatoNsu}be jp.saitama.kawagoe\
        QuµPji^NzoMêmõMo]gayaNunosuMukiN^gayaL^²bu]M>@oNsatoNya]roOo]M|oÀLnagat|oNme³MiizaLog@oOwaN\
        oseMke³MmiyaMtÙL'nz@Myo}miLsaê^N}doNtteNÀMhikiO'o} jp.saitama.sokaMugitoLtodaNki³O|ozìMsuru\
        ga]^Lu'waLwa'biLya]oMokozeNnoNriiN]daQÕQmiFku'(o'ge.isk01.s3V2.s3FloonFpp|o*K.city!EbloEcho\
        olbusEecretFndai*J.city!EhigaI.aishoJgamoJhiga]omiLkoneJko}Ln@ jp.shiga.koseiLtoKusa²J^iba'\
        K|iÀJnagaha^Ki]azaiKõ³Jomihaµm@K²JrittoKyuohJta}]^N²kiKo'himeLyosatoJyasuGm@eK.a}giM^Lgo²Lh\
        a^daMiga]izumoNÕOimiLizumoL}k>okiL^sudaN²eMisatoLnish>o]^Lohda jp.shimane.okinoshimaNuizumo\
        L]m@eLta^yuMsuw@oLunn@LyakumoNsugiN²}Gzuo}L.a'iNtÍMfujiQedaQÕQnomiyaOkuroiMgotembaMhaiba'O^\
        ^²Niga]izuMitoNwùNzuPnokuniM}ke³OnnÍOw@ehonQzuNiku³NosaiM^k>oha' jp.shizuoka.matsuzakiN>Íiz\
        uO]^N|i^µMni]izuNu^zuMo^ezÙM]^daQizuQodaPzuo}NusonoMyaizuNo]daEkrEtabaFripp,EubFnnydayFp,sa\
        leDt@kEheôFickEoµgiK.a]}gaLbatoLhagaLiµ}iMwafuneL}m>oÕNnu^N'suÀ jp.tochigi.kuroisoL^]koMibu\
        Mo}NtegiLnasuP]oba'MikkoN]}taMogiLohi'Ntì'MÀLsaku'NnoMhimo²keOoyaLtak@ezìMoµgiMsugaLujiieM²\
        nomiyaLyaêFku]^M.aizumiOn@NiµbaOt@oN}>@Oo^²]^N^²]geOi^ jp.tokushima.minamiPyo]OugiNna}³Prut\
        oNs@agoµOhi]kuiNtoku]^NwajikiGyoI.adaµKkirunoM]^Koga]^K'ÕJbunkyoJµyodaLofuLuoJedo³JfuchuLss\
        aJhaµjoOojiLmu'Kiga]kurumeQmu'ÀQÀtoLnoNdeNha'J>agi jp.tokyo.itabashiJ}²]}KêLyoseKodai'Lg@ei\
        LkubunjiL^eLtoLuzu]^KunêµJ^µdaKeguroK>atoLta}LzuhoKusa]mu'ÀQnoJnak@oK,i^Jogasì'Kkuta^KmeK]^\
        KtaJsetagayaKhibuyaMna³NjukuKug>ÍLmidaJtaµÕ jp.tokyo.taitoL^Ko]^Fnko²Ftt|iK.µzuLh>oLÕha'Mog\
        eNtou'LmisasaLn@buMich>@Lsa}im>atoLtott|iLwa}saLyazuMonagoFÀJ.asahiKfuchuMkumi²Mnaha]KhimiK\
        imizuLnÍKjoh@aK}miiµLurobeKnak@iiÕMm,iÕMnto jp.toyama.nyuzenKoyabeKtai'M}o}MteÀLogaMnÍMÀKun\
        azukiLozuKÀdaDuh-ohEnd,GoEpp,Es,cont{tDvelvetFrseHusEivi@Dwa}ÀL.aridaR³MgoboMha]mõNida}Oro³\
        M>ÍNwadeM}>@OmitondaO²'gi jp.wakayama.kiminoOnoÕOtaÀNoyaOzaQ³NudoÀO]mõMmiha^OsatoMnaµ}²u'Ms\
        h>guP'ha^MtaijiOnabeMwa}ÀMyuasaO'FtsonEebaccel.rsMus,GlikeGsozaiEhitesnowEjgDxiiEn--0trq7p7\
        nnH1ctwoIlqs03nL71dH2m4a15eH32vp30h jp.xn--4it168dK797kIpvxsH5js045dIrtp49cKq34kH6btw5aI|x2\
        rH7t0a264cH8ltr62kIpvr4uHc3s14mHd5qv7z876cIjrs72d6uyJty4kHefvn9sIhqz56nIlqq16hHf6qx53aHk7yn\
        95eIbrq7oIlt787dKp7dKx9aKy5xHmkru45iHnit225kItso0iqx3aKq17gHpssu33lHqqqt11mHrht27z jp.xn--r\
        ht3dK61eIny31hHt|131oHui(22hKz3gIuwu58aHvgu402cHzbx025dDÀgùL.asahiMfunagùMhigash>eMiideM}ho\
        kuOm>oÀOneÀOw@i]M^muro³NiÕNu'ÀMnagaiO}ÀOnyoNi]ÕMob@azìNeNguniNhku'Ni]daMsagaeO}ta jp.yamaga\
        ta.sakegawaNh>joP'ta}OonaiMta}hùN{doNozìNsuruo}MÀgùQnobeNonezìNuzaIuµM.abuNhagiOi}riOofuNiw\
        akuniNkuda^²NmitouNnagatoNo]^N]monosekiPun@NtabuseOokuÀPyotaNubeNyuuHna]M.chuoNdo] jp.yaman\
        ashi.fuefukiPjiÕVguµkoRyo]daNhayaÕOokutoNiµ}wÍsatoN}iOofuPshuQugeNm>Í-alpsQobuNna}miµPnbuPr\
        usìOi'sÙP]}²'Nosh>oO²kiNshowaNtabaÀOsuruNu{oha'Nyam@a}koT]Eokoha^*L.city!DzombieCm|g@CrsBue\
        gos juniperA}uf{BddiBe¹ÌDgoÝDmeEobiDneD|DscCrryhotelsFüp,tiesBfhBgûeÌm)v´%DusDxxBhÔ% kiC.ºm\
        )vÝ%CaCdsCmCndleCtch{CwiBmûssGoÌmFop)uvFvDmedec>EilDnomFtairesÒphar^ci{sErdFóeDtmDvet,>aire\
         knC.edu»%BoelnC^²Csh,BpÔÒrepDt'CmgCnBr¹EiDbus@Dc01EhungbukInamEoDdaeguGjeonDeliv-apiIcdnI¾\
        EsDg@gwon kr.goEw@gjuEyeongbukJgiJnamDhsD>cheonEoEtDjejuFonbukHnamDkgDmeEilEmvEsDneD|DpeDre\
        DscEeoulDuls@DvkiCdD.coEeduCedBuokgroupBw§ kw.eduEmb»D>d%By§É%CõBzÔDj[´%AlaC.bnrÌm)vÝFt%Dp,\
        CcaixaCmb|gh>i lamerCndErov,DxóCsalleCtD>oDrobeCwDy,BbÔ%BcË)v%EyBdsBeaseCcl,cCf'kCgalDoCxus\
        Bgbt liCdlCfeE>su'nceE(yleCght>gCkeCllyCmitedDoCncolnDkE.c@vaGyonFdÖ*F>brows,*Fjo>mcFke{eti\
        cFmyfritzHpepFnft(o'ge.ipfsF(o'cha.ipfsFw3s.ipfsCveE.aemFewp*FhlxD>gBk¹EssnÌm lk.edu»ErpDho\
        telD>tDltdÁEgoÒschEocDÖBlcCpBo@EsCck,DusClD.omgCndonCtteEoCveBplDf>@cialBrÔ% ls¹Dº)vÝ%DscBt\
        C.govCdDaBuâ=CndbeckCxeDuryBvûsnÌmFnf)vDid´%By§É ly.govDidDmed%DplcëA^¹Ì»%DpróCdridCifDsonC\
        keupCnDagem{tDgoCpCrketG>gGsDriottDshallsCttelBbaBcûssoDtm mckinseyBdC.irBe¹DÈE'siliaDc66Eo\
        E'ftDd¾Eisk(aÏEnsf|Es[Dedge(ackFuDfilegearL-sg»ErokDhooc.seüxFptoDi234EtsDlog>toFhmusDmcdir\
        EyboxFdsÁEoho(Fip me.orgDprivDsoundca(EynologyDtcp4E'nsip.×Dvp4DÖhopCdDiaF.f'm,CetClbourneC\
        meD|ialCnDuE.ÈKonl>eCrckFmsdBgË)v´DnomÒprdBhBiÍ microsoftClCniDtCtDsubi]BkÔD>f½Bl¹ErtEssoÌm\
        )uvFvÝF(%DprFóeCbCsBm*Ca mnC.edu»DnycD|gBoÔ%CbiE.ÈFds[EleCdaCeCiCmCnashDeyD(,CrmonDtgageCsc\
        owCtoErcyclesCvDieBpC.juBq mrC.govBsÔDm>i×%CdBt§É%CnCrBu¹ÌFm»ÁD|FgCseumDicBvû,oDºmFop mv.ed\
        u»ÝFt´Euseum½DüBw¹DºFmFop)vD>t%Bx§)b%ByC.ºm)v my.mil½Bz¹EdvÌ)v´%AnaûltÌFm»%CbCgoyaCmeE.h,.f\
        |gotGis.f|gotFispm@ag,Fke{eticCvyBbaBcûssoDnom neCcCtD.adobeaem[Jio-(aticLruntimeF}¾H^iKïKe\
        dgeOïKhdMïK|ig>QïKzedNïFlwaysdùFpps-1@d1HudoFt-b@d-campGlassi@-dev.üd.cdnFzure-apiKmobileJe\
        dgeJfdJ(aticäsT.1U2U3U4U5 net.azurestaticapps.6U7Uc{t'lusUea(asiaYus2Uwe(europeYus2J=sEÈFla\
        ckbaudcdnGog¾FoomlaGtdashGuncemeFplacedFroke-itFuyshousesEcasacamFdn-edgesH77-sslJ.rFh@nels\
        dvrP.uFlickris>gGoudaccóKppJflareO.cdnO@yca(.cdnOcn.cdnOglobal.cdnKront net.cloudfunctionsJ\
        jiffyO.f'1-dePwe(1-usJyclu(,Fommunity-üFtf[EdattolocalF¾I-ipFe5Gbi@Gf>i^GnoI.s@dboxFns-[Idy\
        nÍcHaliasHdojoHupFoes-itGntexi(FsmynasFynaliasIthomeHuId¾Hv6Eeat>g-|g@icFdgekeyLïIsuite net\
        .edgesuite-stagingFla(x.jls-(o1S2S3Fndof>t,netEfÍlydsG(ly.freetlsL^pLüd.aQglobalLssl.aPbPgl\
        obalKlbM.^pFe(e-ipFirewall-gatewayFrom-azJcoJlaJnyEgbFets-itFgffF'f@a-devEham-'dio-opFeteml\
        FicamFomeftpIipIl>uxIunix net.hrsn.vpsFuEicp*FnG-dslHthe-b@dHvpnFobbFpifonyGv64Fs-a-chefJge\
        ekGa-geekEjpEkeyw|d-onFicks-assGngho(Fnx-à,Frelli@Elive-onFocalc,tJto*Fuy@iE^feloGssivegrid\
        .paas.fr-1Vlon-1Z2Vny-1Y2Vsg-1Fe>f|umGmset net.moonscaleFÀzeGdattoHiss{tGeff÷GfritzGmediapc\
        Gnetname.snGpsxG'dÖGsecuritycame'HpreadôHynologyEnhlf@Fo-ipGw-¾Eoffð-on-theFn>f,noFpikFvh.ñ\
        *IÖpaas*FwnipEpgaf@FodzoneFrivatizehealth>su'nceE'ck^zeFedir÷meGàe-onl>eFout>gthe[FuEsave>[\
        .jela(icQn|de(e-idc net.scaleforce.jGhokokeksG'pp,-×FeGidatGlfipHls-itGnse,>gGrvebbsKlogJft\
        pJm>ec'ftJr-onFhopsel÷FiteleafFprytFquare7KsFrcf.socJus,Ftatic-accóFubsc-payGpabaseFytesEth\
        ruh,eF|üj÷O.ýF'fficm@ag,FsG.c*FunnelmoleFw^il net.ukFni5Fsgov[api.c|e.blobXfileXÖSàðbusQpJt\
        'fficm@ag,Evpn¾Gs-ho(M.jela(ic.atlWnjsWricF¯EÖhopF>dows.c|e.blobRfileRÖMàðbusEy@dex[P.(o'ge\
        Q=EzaGbcDb@kDflixDw|kH.aemJlces*JppwriteJrvoJzimuth network.coItlonCu(arCwDsE.notðableCxtEd\
        ir÷DusBfûrtsÌmDfirmÝÁDoth,Dp,DrecD(|eDÖClBgC.bizG.coHdlHgoHlgHonÌlFmÉDfirm ng.genEovDiDltd´\
        EobiDnameEetEgoÒplcëCoBhkBi¹DºFm)bD>FfoFt´ÁúÒÖCcoCkeDon ninjaCss@FyBlâ=Dci(ronEoDdemon»Dñ-c\
        lu(,DkhplayDmy¨Dt'nsurl*BoâhjemmesideDaaF.gsFrb|teEejrieEöEgd{esEhík,shus.nesFnoluoktaFreha\
        mnElFaheadjuFesundFgardF(ahaugFta no.alvdalEmliFotEndasuoloGebuGoyErÃFe^rkGnÃFnaEse'lFk,Gim\
        GoyGvollFnesEudneÃFk'FreGl@dGskog-hol@dF(evollHrheimEv,oyDbadaddjaFhcaåHcaåFidarFjddarFlatG\
        e('ndGl@g{ no.balsfjordFmbleFrduGumFtsöEea'lvahkiHduFiarnFrgH{GlevagEievatFnÃFrk{esEj,kreim\
        FugnEodoFknFmloErem@g,FonnoyKsundFumundÃFyneEuF.gsFdejjuFsk,ud.nesEygl@dFkleDcahcesuoloEo n\
        o.davvenjargaIsiidaEeatnuFpEieldd@u|riFvtasvuodnaHtasåEonnaFvreE'mm{GngeÃFobakEyroyDeg,sund\
        EidGöGsb,gHkogHvollFg,sundElv,umEnebakkFg,ÃEtneHÃEv{assiHesFje-og-h|nnesDfarsundFuskeEedjeF\
        t no.fetsundEhsE>noyFtjarEjal,FellElaGk(adGt@g,FekkeöGsb,gFo'HoEmíolkebiblGlÃFrdeGs@dFsnesE\
        'naFedrik(adFognGl@dG(aGyaEuoiskuGsskoFsaEylkesbiblFresÃDgaiå no.galsaFmvikFngavii}FularGsÃ\
        EiehtavuoatnaGldaFldes}lFskeEjemnesGrdrumH(adGsÃFovikElopp{EolE'nHeHv>Gt@g{Fim(adFongFueEul\
        {FovdageaidnuDhaFbm,FdselFgebo(adFld{GsaF^r no.hamaroyG^rfea(aH,fe(FpmirF'mGeidG(adFsvikFtt\
        fjellÃFugesundEed^rk.osLval,Lévl,-qoaFmneIsGseÃF'dEit'EjartÃFelmel@dElímíobolFfFkksundFlGeG\
        me('ndGtal{Fnefoss no.hordaland.osGn>ÃGt{Fy@g,Gl@detEurÃGumEval,Eylle(adDibe(adEdrettEnd,oy\
        Evel@dFguDj@-^y{M.gsEóheimFvnak,Eol(,FnÃFrpel@dD}öF'sjoh}KkGlsoyGmoyFutoke>oEirk{esElabuFep\
        púmuneFngsb,g no.kongsvingerFp,vikE'@ghkeGg,oFi(i@s@dMundFodshe'dGk(adelvaEvaöGlsundGmGn@g{\
        F>esÃHnhe'dGteseidHsoyDlaakesvuemieFhppiFngevagFrÃGvikFvagisHng{Ee@gavii}FbesbyFik@g,GröHvi\
        kF}GsvikFnvikFrÃ no.lesjaFv@g,Ei,HneFllehamm,Is@dFndasHesnesEoabatFd>g{FmFppaFr{skogFt{Eund\
        Gn,FroyF(,EyngÃH{D^latvuopmiGselvGvikFnÃFrk,GnarÃFsö{GoyFtta-varjjatEel@dGÃGhus no.meloyF'k\
        ,EidsundGtre-gaulÃFlEjonÃ{Eo-i-'naFarekeFÃ{GumFldeFre-og-romsÃ.h,oyTs@deFsjo{Gk{esGsEríuosa\
        tFseumEy¨DnaamesjevuemieFmÃseidGsosHskog@Fnne(adFroyGvii}IkFu(ÃFåEedre-eik, no.nesnaGodd{Jt\
        @g{GsebyItEisseÃFtteÃElí|d-aurÃIfronIoÃHÃH}ppHl@d.boMh,oyMéb-5gaQh,y-i'Hre-l@dJisaGe-og-uvÃ\
        Ftodd{Gt,oyEtF.gsDoddaEfíksnesElí^så no.oppdalGegardErk@g,GÃFl@dFskogGtaEs{FloH.gsFoyroFt,o\
        yGfold.val,Gre-tot{Ev,hallaFre-eik,Ey,Fgard{F(re-slidreDp|s@g,KuHgrunnErivD'deGoyFhkke'vjuG\
        oltFisaFkke(adFl>g{FnaGdab,g no.raumaEeFnÃ{GnebuIsoyE>ÃGgebuIrikeHsak,Fs|GsaElío@FdoyFllagF\
        msaHkogFrosF(Fyk{GrvikEuovatEyggeDsal@g{HtGtÃFmn@g,FndeöHnesKsjo{Hoy no.sarpsborgFudaGhe'dE\
        elGbuGjeH|dEfíiellakFgÃFlj@FrÃEk@itHl@dGunFedsmoKk|setFiG{HrvaGptvetFjakG,voyFodjeElattumEm\
        olaEnaaseGsaFillöFoasaEognÃ no.sogneFknÃFlaGundFmnaFndre-l@dGgÃ{Fr-aurÃHfronHoÃHva'ng,Gfold\
        GreisaGtl@dGumEpjel}vikFydeb,gEtF.gsF@geGtHhelleGv@g,H,nFeig{Hnkj,Fj|ÃLshals{FokkeGr-elvÃHd\
        Ial no.storfjordF'ndJaGynEulaGÃFndGnÃFohk@FrnaÃEvalbardL.gsFeioGlvikEykkylv{Dt@aHng,Eele^rk\
        .boMéb-5gaEimeFngvollGnEjeldsundFielteFomeEmíokkeFlgaFnsb,gFrsk{Er no.tr.gsF@aHbyHoyFo@d>Gg\
        (adGmsaIoGndheimFysilEvede('ndEyÃFnsetFsöGnesGvarDu{|geEll{sak,Jv@gF(e>FvikEnjargaEtsi'DvaF\
        .gsFap(eFdsoFgaHnGsoyFksÃFlle no.vangGylv{FrdoGggatGoyEefsnFgaHrsheiFnneslaFrÃG'nF(byHfold.\
        s@deHnesHre-slidreKtot{HvagoyFvel(adEfígsEikGnaFndaöEoagatFldaFssHev@g{Dé@dy-i'Isky-i'Iursk\
        og-hl@d-jnbIv,y-yua no.xn--bdddj-mrabdIea'lvhki-y4aJrlevg-jxaIhcaå-s4aKcaå-k7aIidr-5nacJevt\
        -0qaIjddar-ptaIlt-elabImlo-g'Iod-2naIrnny-wuacMsund-m8acJum-voaItsö-9zaHdavv{jrga-y4aInna-g\
        'Irbak-wuaIyry-i'Hev{i-0qa01gaHf>ny-yuaIj|d-l'Il-ziaJ|-j'Irde-g'Jna-woaJya-h'Hggavii}-8ya47\
        hIildeskl-g0aJå-8yaIjvik-wuaIls-elac no.xn--h-2faIa^ry-fyaIbm,-xqaIcesuolo-7ya35bIgebo(ad-g\
        3aImmrfea(a-s4acInefoss-q1aIobl-i'Jltl{-hxaIpmir-xqaIy@g,-q1aJl@det-54aH>d,y-fyaHjl(,-byaIr\
        pel@d-54aH}rlsy-fyaKmy-yuaIö-iuaIlbu-woaIoluokta-7ya57hI'g,-gyaKnghke-b0aJdshe'd-m8aJehamn-\
        dxaJjoh}-hwab49jIsnes-uuaIvö-nxaJitsy-fyaJn@g{-k0aHl-1faIaheadju-7yaJngevg-jxa no.xn--lding\
        en-q1aIeagavii}-52bJsund-huaIgrd-poacIhppi-xqaI>ds-p'Ioabt-0qaIrÃ-s'J{skog-54aIt-liacJ{-g'I\
        ury-i'Hmely-i'Jrk,-kuaIjnÃ{-64aIlatvuopmi-s4aJi-tlaJselv-iuaI|eke-juaJsj{-eyaJt-tlaIre-og-r\
        omsÃ-qqb.s@deZ.éh,y-i'Isy-ula0hItta-vrjjat-k7afIuo(-0qaHnmesjevuemie-tcbaIry-yla5gItt,y-bya\
        eIå-hwaHoppegrd-ixaI(,y-fya no.xn--osyro-wuaHp|sgu-(a26fH'dy-i'IÃ-poaJe-ulaJy-0nabI{nesy-v1\
        aIhkk,vju-01afJolt-m'Iisa-5naKr-i'Il@d-uuaJ>g{-mxaImskog-byaIros-g'Iskog-uuaJt-0naKa-f'Iyk{\
        -vuaJrvik-byaHs-1faI@dnój{-ogbLy-yuaIe'l-l'Igne-g'Iki,v-utaJj,vy-v1aKk-soaJnit-yqaKl@d-fxaI\
        lat-5naJt-elab no.xn--smla-hraJna-g'Inase-n'Jdre-l@d-0cbJes-poaJsa-roaIr-aurÃ-l8aKfron-q1aK\
        oÃ-q1aKva'ng,-ggbJfold-byaJreisa-q1aJum-g'Itfold-9xa.évl,-qoaJjrÃ-s1aOshals{-sqbJre-tot{-zc\
        bHtjme-h'Insb,g-q1aI'ny-yuaJg(ad-r1aJna-woaJoms-zuaIysvr-v'Hunjrga-rtaHvads-j'Jrd-j'Iegrshe\
        i-c0aJ(vgy-ixa6oIg-yiabJ@-qoaJsy-qoa0j no.xn--vre-eiker-k8aJggt-xqadJy-yla5gHy,-znaIgard{-p\
        1aI(re-slidre-ujbCkiaCrtonCwD.dynEh,eDruzDtvBp*BrC.ºm)vÝ%CaCwBttBuC.{t,prise[Dm,se>eE>eDsha\
        cknetBycBz nz.acD[nsEoEriDgeekFnEovtDhealthDiwiDkiwiD^|iEil%Dparliam{tëoolDém|i-qsaAobiCà,B\
        ffðBk>ìBlay@GgroupCloBmË)vDmedEuseumÁ om.orgDüCegaBneD.k>*EàðE=CgCionClD>eG.ÈIookHe,oL-(age\
        Hheim¾HleapcellH=build,BooBp{B'cleDngeG.techCgD.accócamFeFlt,vi(aEÈFlog¾I×Fmoattachm{tsFold\
        lygo>gnowh,e org.cable-modemGmdvrFdn77-secure.|ig>.sslJ.cKrscFlou¾Follegef@GuchpotatofriesE\
        d¾sFnsaliasHdojoFoesntexi(Gntexi(Gom¾Fp¾FsmynasFuck¾Fvr¾FynaliasH¾K.goLhomeHàE{dof>t,netJth\
        e>t,netFuG.alIssoItIuHbeIg org.eu.caIdIhInIyIzHdeIkHeduIeIsHfiIrHgrHhrIuHieIlInJtIsItHjpHkr\
        HltIuIvHmeIkItIyHnet org.eu.ngIlIoIzHplItHroIuHseIiIkHtrHukIsEfÍlydsFedo'>f'[KpeopleLroj÷.[\
        Sos.äS(g.os.äFreed¾JesktopGom-meFsýEgame-ho(Fot¾Ehat{adiaryFepf|geFkFobby-×Gme¾Iftp org.hom\
        elinuxIunixGptoFttpb>E>-dslHvpnFp-dynÍcFs-a-bru>sf@Jc@didateKelticsf@KhefJgeekJknightJl>ux-\
        us,Jpatsf@Jsoxf@HfoundHlocalJ(HsavedHv,y-badMevilMgoodMnðMsweetGa-geekEjpnFsEkicks-assEmisc\
        onfusedFlbf@Fy-firewall org.myfirewallHtpGsecuritycame'GwireEnflf@Fo-ipGw-¾Epimi{taFodzoneG\
        ivronGtag,FubtlsEread-booksImyblogFout>gthe[GxaEselfipHlsyourhomeGrvebbsJftpJgameF^ll-ÖFp¾F\
        tuff-4-saleFweetpepp,Eteckids.s3Foolf|geFunkGxfÍlyFw^ilEufcf@Fs org.webhopHredir÷Fm[L.betaG\
        flabsEzaGptoD@icCig>sBsa}B²}CtBvhD.n,dpolApaûboEcÌm)bD>gDmedÁúÒsldCgeE.aemFcodeb,gFdeuxfleu\
        rsFheyflowGlx page.myboxFp¾GleskGrvcyFrockyF(aticho(CnasonicCrisDsDtn,sEsEyCyBccwBe§)b´ÁúD|\
        gCtBf§ÉD|gCiz,Bg*BhC.[nsú ph.edu»Di´ÁEgoD|gCar^cyCdCilipsConeDtoFg'phyFsG.f'm,CysioBicsDtet\
        EuresI.1337CdCnDgDkCone,CzzaF.ngrokBk¹DºmÉ pk.famDgkpEobFgFkFpFsFv%DÖBlûgroEidErtEtmEugu(ow\
        FtoDbabia-go'Eedz>FepFskidyEialowiezaHy(okFelìHskoGszczadyFzEoleslawiecEydgoszczFtomDcfolks\
         pl.cieszynEoFmEzeladzG(Ddfir^EkontoElugole}Decomm,ce-ôEduElblagFkDgdaGnskFyniaEliwðFogowEm\
        >aEnieznoE|lðFvG.apHgriwHicIsHkmpspIonsulatIppspIwpKspHmupIw pl.gov.oiaJrmIkeIowIschrIumHpa\
        I>bJwIoIrIspJseIupHrzgwHsaIdnIkoIoIrItaro(woHugJimImJigIpowJpoIsIwIzsHwifJih pl.gov.winbJos\
        JtdJwIkzIsaJkrJseIuozIzmiuwHzpJisdnE'jewoEsmDhomesklepDilìEnfoDjaw|znoEel{ia-go'Ego'D}liszF\
        rpaczGtuzyFszubyFtowðFzimi,z-dolnyEepnoFtrzynElodzkoEobi,zyceFlobrzegFn> pl.konskowolaE'kow\
        GsnikEutnoDlapyEeb|kFcznaFgnicaFzajskEim@owaEodzFmzaFwiczEubartowG>Gl>FkowD^ilFlb|kGopols}F\
        zowszeGuryEedGiaEia(aFelecHnoFlE'gowoEy¨DnakloEet pl.nieruchomosciúFwarudaEysaDolìFeckoFkus\
        zFsztynEpocznoGleErgE(rodaIle}IwiecJwlkpDpabi@ðEcEilaFszElockEodhaleGlasieFlkowðFm|skieIzeF\
        niatowaFwiatFzn@ErivFochowðFuszkowFzew|sk pl.pulawyD'domFwa-^zEeale(ateFlEybnikEzeszowDs@ok\
        Eds[EejnyFxEhopHar{aEie'dzFmple×Eki,niewðFlepFoczowElaskFupskEopotFsGnowiecEtalowa-wolaG'ch\
        owðHgardEuwalkiEwidnicaJkGebodz>GnoujscieEzczec> pl.szczytnoFkolaDtargiGnobrzegEg|yEmE|unFu\
        rismE'velEurekGy(y}EychyDuni[E(}DwalbrzychFrmiaGszìFwEegrowEielunEloclIawekEodzislawFlom>Er\
        ocHlawDyou2Dzachpom|Fg@Fkop@eFrowEgi,z pl.zgoraHzelecCaceF.coDyE(aÏCumb>gDsE.playitL.at*Mwi\
        thBmC.nameDownBnC.co)v%CcBohlCk,ClitieCrnC(Br¹DºmÉE( pr.govÝEsla½DüGfCaxiCóCimeCoD.aaaFcaGc\
        tFvocatEbarHsyE[nsFpaE{gEjurEke{eticElawEmedEngrokErechtDdEucÏsDfDgróiveDmo propertiesHyDte\
        cÏCuDd{tialBsÔ%DploDsecBtâpag>aÖÌm)vD>tÁúeÒpublBubD.ÈEid*Ek>*BwC.[ns»Dx443Cc py§Fop)v´%AqaÔ\
        ´½ëBponBuebecD(A'c>gCdioBeûssoDc@úÁlibCadDle(ateEt|FyCcipes redDumbrellaChabCiseFnDtCli@ceC\
        nDtEalsCpairD|tDublic@C(Eau'ntCviewGsH.aemCxrothBichEardliDohClCoCpD.cl@BoûrtsDÈÌFmDfirm ro\
        .infoDnomEtÒrecDôEt|eDtmDwwwCcksF.li^-cityGmyd¾G(ackitGÖspaceCdeoCg,sComBs¹DÈEr{dly.ôÌ)vD>D\
        |gExCvpBu¹EdygeyaDbashkiria ru.birDcbgEld^il.hbúDdage(@ÉEurodir»EroznyD>tD}lmykiaEu(@aiD^r>\
        eEcdirI.vpsFpreEilFr[E|doviaEskEyj>oJ.ñ*Kl@d>g*Ksp÷rum*Kvps*FtisDna4uFlµkEetEovÒpp ru.pyati\
        gorskD'sDspbDvladi}v}zImirCgbyChrCnD.äwrite*Ebuild*Ec@vaFode*Edùbase*Fevelopm{tElia'J.i'nFo\
        vableEmig'Ï*EneedleEonp|t,E'v{dbFeplE(ackitEvalH.ÖF,celEwixBw¹ÌFop» rw.mil%CeByukyuAsaÔDmed\
        %DpubëCarl@dCfeEtyCku'CleDonCmsclubEungCndvikHc|om@tDofiCpCrlCsCveCxoBb§ sb.edu»%CiCsBcÔ%Cb\
        Chaeffl,DmidtDolar]psEolDuleDwarzCi{ceCotE.coFgovI.àðFmeGygovF|gBdÔÝ sd.med%DtvBeâm>sidaDaE\
        cDbEdE'ndDcúDdDeDfEhFskFvDgDhDiEopsysEtcouldbew|Dkúf|bGmunalf|bundGvuxDlE@bibDmEy¨ se.nEatu\
        rbruksgymnDoErgDpEartiEpEróDrDsDtEmDuDwDxDyDzCarchDtCcureFityCekCl÷Cn,CrvðsI.log>l>eCv{CwCx\
        DyBfrBg sg.comÉEnscaled»%BhC.botdaÌm»Dhashb@gDlovable´ÁEowÒplatf|m.{tNuMusDtelep|tC@grilaDr\
        pCellCiaDkshaCoesDpE.ÈKonl>eHseFhoplixFôware shoppingDujiDwE.msBiC.f5DgitäGpageClkCnaDglesC\
        teE.ÈGy{Fcaffe>eHnva.myGhatgptGloude'*GoHnvexL.eu-ÆMusãGp@elGyonFfa(vpsGig^K-govFheyflowFje\
        leGouwÖFlog>l>eF^dethis site.notionHvec|eFomniweGp{socialFpieboxGlatf|msh*IycodeGreviewGut,\
        FscwI.amsJwawGolHurcec'ftGquareGrhtGupp|tFt(*FwpsquaredBjBkC.|gCiDnCyDpeBlÔ% slingBmCartCil\
        eBnûrtÌm)uvÒunivCcfBoÔDme%DsurveysCcc,DialCftb@kEwareChuClarDuÏsCngDyCyBpaDce space.app-ion\
        osGdeployag{tGheiyuHfI.(aticGmyfa(Güj÷Gub,Gvibeho(Gxs4allC|tDtBrClBsC.ºFm)vDme%ëBtC.cn*EoFm\
        FnsuladoÉEmbaixadaDhelioho st.kirara´ÁEohoÒpr>cipeDsaõmeEt|eCadaDplesDrDteb@kFfarmCcDgroupC\
        ockholmD'geEeF.ÈGsellfyHhopwareHt|ebaseCreamCudioEyCyleBuûbkhaziaEdygeyaEktyub>skErkh@gelsk\
        Fm{ia su.ashgabadEz,baij@DbalashovFshkiriaEry@skEukha'Dµmk{tDdage(@D©}zakh(@ExnetDge|giaEro\
        znyDiv@ovoDjambylD}lmykiaGugaF'colHg@daGeliaEha}ssiaE'snodarEurg@F(@aiDl{ugDm@gyshlakE|dovi\
        aEskEurm@skDnalµkFvoiE|th-}zakh(@Fv su.obninskDp{zaEokrovskDsoµEpbDtashk{tE,mezEogliattiEro\
        itskEsel>og'dEulaFvaDvladi}v}zImirEologdaCcksCppliesFyE|tH.ÈCrfDg,yCzukiBv§)bÒredBwatchCiss\
        Bx sx.govByÔ´%CdneyC(emsH.knightpo>tImir{Bz¹ÌD|gAtabCipeiClkCobaoCrgetCtamot|sErDtooCxDiBcC\
        iBdCkBeamE.discourse team.jelasticCchE.cleve'ppsEnologyK.coClC^sekCnnisCvaBfC.schBgBh¹ÌDgoD\
        >DmiÁDonl>eErDôCdCeat,FreBiaaCcketsC{daCpsCresDolBj tj.bizÌFm)FvD>t´DnameEetEicÒte(DÖC^xxCx\
        BkC^xxBlC.govBmË)v´ÁúD|gCallBn§ tn.ensDf>»D>dFfoFtlDm>comDnatEetDo'nge[FgDp,soDtourismBoC.6\
        11Ìm)v´ÁGtD|gEyaDquickconn÷.dir÷DvpnplusDx0CdayF.prequalifymeCkyoColsF.addr.dynGmyaddr topD\
        .ntdllEwadl*C'yC]baCtalCursCwnCyotaDsBrûvDbbsEelEizÌmDdrÉDg{EovÝDk12Eep´DnameEcF.govEetÒpol\
        DtelEsk tr.tvDÖCadeE>gD>>gDvelG,sJ>su'nceCu(CvBtC.ºFm)vÝ´½DüBubeCiCnesCshuBvC.bett,-th@Ddyn\
        ¾DfromDon-the-ÖDsaku' tv.worse-thanCsBwC.clubúG.my^il,DebizEduDgameEovDidv´Ey¾%DurlBz¹ÌDgoD\
        hotelÝDmeEilEobiDneD|DscDtvAuaC.bizDcc ua.cherkassyKyHnigovJhivJvtsiIovtsyEkEnEoFmErFimeaEv\
        ExDdnFeüpetrovskFiüpetrovskEonetskEp)vDifEnFfEv@o-f'nkivskDkhFarkivIovF,sonFmelnitskiyJytsk\
        yiEiev ua.kirovogradEmErFopyvnytskyiFymEsEvEyivDlgEtFdEug@skFh@skFtskEvFivDmkEykolaivÁEikol\
        aevDodFesaHsaErgDplEoltavaEpDrivneEovnoEvDsbEeba(opol ua.sevastopolEmEumyDteFrnopilDuzFhg|o\
        dGh|odDvE>nicaHytsiaEnEolynDyaltaDza}rpattiaFp|izhzheNiaEhitomirFytomyrEpEtBb@kCsBg¹ÌFm)Fv´\
        Dne ug.orFgDscDusBk¹DÈÌF.adimoGÈLonl>eGlay,]ft.jGmy¨Gnh-àHo-ipGretrosnub.cu(FnnFü»G.apiHcam\
        paignHàðDhospD>dep{d{t-commissionP>que(TiryPp@elPreviewDltdDmeÁEhs uk.nimsiteDo'clegov[äs*F\
        gG.aff>itylott,yHglugHlugKsH'ffle{tryHweeklylott,yDplcEolðEublic->quiryEymntDroyal-commissi\
        onë*BnicomDv,sityCoBolBpsBsûk:El:ErF.ccGk12 us.ar.libEs:Ez:Fure-apiI=sDca:Elou¾Eo:Et:Ddc:Ee\
        F.ccEniD{scaled.phx us.fl:Ereed¾Dga:Eolff@Eu:Dhelioho(EiF.ccGlibDia:Ed:El:EnF.cc us.in.k12G\
        libEs-byFaDks:Ey:Dla:Fnd-4-saleD^F.ccGk12J.chtrKparochLvtGlibEd:Ee: us.miF.@n-arb|GccHogGd(\
        GeatonGg{Gk12GlibGmusGtecGwasht{awFr[En:Eo:EsF.ccGk12Et:Dnc: us.ndEe:EgoEh:Ej:Em:EoipEsnEv:\
        Ey:Doh: us.ok:Er:Dpa:Eo>ttoEr:DriF.ccGlibDsc:EdF.ccGlibE,v,nameErvG.ghIlEtuff-4-sale us.tn:\
        Ex:Dut:Dva:Ei:Et:DwaF.ab,de{Gba>bridge-islHellevueHrem,tonGccH{t'liaHhehalis us.wa.forksGgi\
        g-harb|GhoquiamGk12Heyp|tH>g(onGlibGolympiaGp|t-@gelesLludlowL|chardLtowns{dIulsboGredmondI\
        ntonGseaJttleIquimHheltonHilv,ÃeGyarrow-po>tEi:EvF.ccEy:By uy.comÉDgubEv´%BzË%AvaCcaÏsCnaDg\
        uardBcC.0e*Ìm)vEvF.d´Ey¾%BeûrtsDbibÌFm ve.e12EduEmpr{deDfirmDgobFvDiaEnfoFt´ÁúÒ'rEecD(|eDte\
        cDÖCgasCnturesCrisignDsich,ungCtBgC.eduBiËDk12%Cajes videoCgCk>gCllasCnCpD.hi¾Crg>CsaDionCv\
        aDoBla@d,{Bn¹EiEngi@gDbacgi@gGk@GlieuGn>hFria-vungtauE{treE>hd>hIuongHphuocHthu@FzDca^uFnth\
        oFob@gú vn.daklakGnongFn@gEi{bi{EongnaiHthapÉDgialaiEovDhagi@gFiduongGphongFnamGoiFt>hFugi@\
        gEealthEoab>hEueFngy{DidEnfoFtEoDkh@hhoaEi{gi@gEontumDlaichauFmdongFngsonFocaiEong@ vn.namd\
        inhGeEetEghe@E>hb>hHthu@ÒphuthoGy{EroDqu@gb>hInamJgaiJ>hItriDsoct'ngFnlaDtayn>hEhaib>hHnguy\
        {GnhhoaIphohoµm>hFuathi{hueEi{gi@gE'v>hEuy{qu@gDv>hlongHphucDy{baiBod}ClvoCte votingDoCyage\
        Bu§É%AwalesD^rtDt,CngEgouCtchFesBeath,Hch@nelCbDcamD,D×H.f'm,CdDd>gCiboDrBfC.bizëBhoswhoBi{\
        Cki wiki.framerClliamhillCnDdowsDeDn,sBmeBoodsideCrkE.i^g>e-üxyFput,EsDldCwBsûdvis|*D[66úDd\
        yn¾)vDmypets%BtcCfD.d¾AxboxB,oxBihu@CnBn--11b4c3d xn--1ck2e1bFqqw23aE2scrj9cE30rr7yFb(00mFd\
        s443gFe0b707eFhcrj9cFpxu8kE42c2d9aF5br5cylIj9cGq11cFdbrk0ceM.é4dbgdty6cR5dbhl8dR8dbq2aRhebd\
        a8bFgbrimE54b7fta0ccF5qw42gHx5dFsu34j936bgsgFtzm5gE6frz82gFqq986b3xlE80adxhksHo21aHqecdr1aH\
        sehdbIwgFy0a063a xn--90a3acK.é80auP90azhPc1avgPd1atPo1acThHeHisFdbq2aFet52uFkrt00aEb4w605f,\
        dFck1b9a5dre4cEc1avgF2br7gFck2b3bHwcxetdFg4bkiFlchc0ea0b2g2a9gcdFzr694bHs0tHu2dEd1acj3bHlfE\
        e1a4cFckvdtc9dFfvy88hEfct429kFhbeiFiq228c5hsH64b xn--fiqs8sHz9sFjq720aFlw351eFpcrj9c3dFzc2c\
        9e2cGys8d69uvgmEg2xx48cFckr3f0fFecrj9cFk3at1eEh2breg3eveIj9cL8cFxt814eEi1b6b1a6a2eFmr513nFo\
        0a7iEj1aefHmhF6w193gL.é55qx5dQgmqw5aQmxtq1mQod0algQuc0atvQwcvs22dFlq480n2rgFvr189mEkcrx77d1\
        x4aFprw13dHy57d xn--kput3iEl1accFgbbat1ad8jEmgb2ddesH9awbfHa3a3ejtK4f16aM'I7c0bbn0aIam7a8hI\
        b2bdIh1a3hjkrdIi9a5eva00bLzgqp6jIyh7gpaHbh1aL71eHc0a9azcgIa7dzdoIpq6gpa1aH,p4a5d4a87gQrHgu8\
        2aHi4ecexpHpl2fhHqly7c0a67fbcMvafrHt3dhdIf8flIx2bHx4cd0abFix082f xn--mix891fFk1bu44cFxtq1mE\
        ngbc5azdHe9e0aHrxFnx388aFodeFqv7fJs00e^Fyqy26aEo3cw4hK.é12c1fe0brSfi8ixb8lSo0c3b4evaPh3cuzk\
        1diPm3ch0j3aPo3cyx2aFgbpf8flFtu796dEp1acfJ.é41aO80aaa0cvacO90a1afRmcOc1avgOh1ahnRlizOj1adpR\
        efSl8bHi xn--pgbs0dhFssy2uEq7ce6aF9jyb4cFc}1pmcFxa6aHmErhqv96gFovu88bFvc1e0am3eEs9brj9cFes5\
        54gEt60b56aFckweFiq49xqyjEunup4yEv,mg{sbe't,-ctbRung-pwbFhquvFuq861bEw4r85el8fhu5dn'Hs40lFg\
        bh1cHl6aExhq521bFkc2al3hye2aIdl3a5ee0hEy9a3aqFfro4i67oFgbi2ammxEzfr164bBxx xyzD.botdashEcaf\
        fe>eEexeEop{tunnelEtelebit*AyachtsChooC^xunCndexBeÔ´%Bodoba]CgaCkoha^CuDtubeBtC.|gBunAza.ac\
        EgricEltÌ)vErondar za.law´ÁEgoEicFsúÒschoolDtmDÖCpposC'B,oBipBm¹DºFm)vÝ´%ëBoneE.li^Fprg1-z,\
        opsF(ackitFtriton* zone.zerops*Bu,ichBw¹Ì»´D|g
        """
}
